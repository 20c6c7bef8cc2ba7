"""Complete suites: strings that prove that acceptors follow the grammars of the RFCs.

    python -m conformance.complete --all

Each rule becomes a minimal automaton, and each automaton a suite of strings (`suite.py`). An
acceptor with at most k more states than the automaton gives a wrong answer for one of them, if it
gives any. `bounded.py` compares operations with the algorithms of RFC 3986 for all short inputs.
"""
