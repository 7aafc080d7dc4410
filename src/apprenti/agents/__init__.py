"""Who decides. Agents never learn, print or touch a file."""
