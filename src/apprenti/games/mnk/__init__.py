"""m,n,k-games: tic-tac-toe and its family."""
