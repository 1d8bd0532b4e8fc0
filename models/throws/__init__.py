"""Throws that never happened: dice rolled by physics, filmed by the renderer, with exact truth."""
