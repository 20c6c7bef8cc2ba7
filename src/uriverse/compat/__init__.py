"""The functions of other libraries with the semantics of the RFCs, to port programs."""
