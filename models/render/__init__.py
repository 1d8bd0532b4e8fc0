"""Seeded pictures of dice and boards with exact labels.

>>> from models.render.draw import Renderer
>>> from models.render.scene import sample_scene
"""
