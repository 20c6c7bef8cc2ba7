"""Files of rows: reading, writing, output schemas, and jobs on the local engine and on Spark."""
