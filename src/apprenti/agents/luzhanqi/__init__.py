"""Players of Luzhanqi."""
