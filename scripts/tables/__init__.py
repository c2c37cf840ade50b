"""The tables: one SQL file and one schema each, built trial by trial and then over a cycle."""
