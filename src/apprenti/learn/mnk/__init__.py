"""m,n,k-games."""
