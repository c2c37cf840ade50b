"""The services that are measured: the catalogue, and one driver for each kind of client."""
