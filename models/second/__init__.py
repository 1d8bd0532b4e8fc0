"""A second renderer, of other make: its pictures are a test that was never trained on.

It shares no line with `models.render`: other geometry, other materials, light that bounces. The few small ideas that
both have (a folder that can be taken up again, records of the same form) are written twice on purpose, since a fault in
shared code would be a fault in the test as well.
"""
