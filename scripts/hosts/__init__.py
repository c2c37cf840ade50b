"""Several testbed hosts: each trial is claimed, measured on one host, and handed in."""
