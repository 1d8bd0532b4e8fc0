"""The edges: everything that touches the world, each a small protocol, a real class and a fake."""
