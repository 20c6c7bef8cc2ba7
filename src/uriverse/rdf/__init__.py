"""IRIs in RDF: prefix maps, CURIEs, and validation of N-Triples and N-Quads files."""
