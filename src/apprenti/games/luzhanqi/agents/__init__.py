"""Players of Luzhanqi, from random to search in sampled worlds. They know observations, never the enemy's layout."""
