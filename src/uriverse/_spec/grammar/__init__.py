"""The grammars of the RFCs, and regular expressions and character classes generated from them.

Each file `rfcNNNN.abnf` contains the rules as printed in the RFC. `tools/make_grammar.py` generates
the module `rfcNNNN` from it, with a regular expression for each rule.
"""
