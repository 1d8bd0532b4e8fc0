"""The nets that find a board, one telling about where it lies, one where its edges are, and how they are trained."""
