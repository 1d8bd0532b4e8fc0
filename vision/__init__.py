"""A frame in, a reading out: knows dice and boards, no game."""
