"""How the two nets of the reader are trained: pictures with labels in, onnx out."""
