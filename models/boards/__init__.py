"""The net that makes a first guess of where a board lies, and how it is trained."""
