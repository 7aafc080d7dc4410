"""Games between engines: programs that speak a protocol over standard input and output."""
