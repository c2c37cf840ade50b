"""BESS as the bottleneck: a running bessd, spoken to over gRPC, with the observatory's modules loaded."""
