"""The engine protocol: our agents as programs for others, other programs as agents, and a referee between programs."""
