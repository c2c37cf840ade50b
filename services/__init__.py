"""The services that are measured: the catalogue, and one driver a kind of client."""
