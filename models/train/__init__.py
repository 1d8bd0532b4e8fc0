"""Training and measuring the nets of the reader, as `python -m models.train`."""
