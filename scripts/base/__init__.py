"""What every room may use: errors, files, schemas, Parquet, command lines."""
