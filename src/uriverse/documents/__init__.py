"""Find, rewrite and guard the links of documents."""
