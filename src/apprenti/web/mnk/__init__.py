"""The page of m,n,k-games."""
