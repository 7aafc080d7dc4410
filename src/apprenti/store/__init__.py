"""What stays: agent files, replays, and how a file is written."""
