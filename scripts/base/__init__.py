"""Basics that every package may use: errors, files, records, Parquet, command lines."""
