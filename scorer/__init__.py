"""The rules of the games: standard library only, no clock, no chance, no picture."""
