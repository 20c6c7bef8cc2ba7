"""What the RFCs say: their collected ABNF, and the patterns and classes made from it.

Data without behaviour. Each `rfcNNNN.abnf` holds the rules as the RFC prints them;
the module beside it, made by `tools/make_grammar.py`, has a pattern for each.
"""
