"""How agents improve: one algorithm, one file, the paper's name."""
