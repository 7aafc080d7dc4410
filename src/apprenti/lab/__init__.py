"""The use-cases: what the command line, the page and a script ask for."""
