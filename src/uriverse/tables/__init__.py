"""Read and write table files, and run column jobs on them locally or on Spark."""
