"""Released transports as endpoints: a folder each, with a small server and client (README.md)."""
