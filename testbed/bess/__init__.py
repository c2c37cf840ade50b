"""BESS as the bottleneck: a running bessd with the observatory's plugin, controlled over gRPC."""
