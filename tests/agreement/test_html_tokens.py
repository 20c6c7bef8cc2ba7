"""The HTML finder agrees with the tokenizer tests of html5lib-tests and with other parsers."""
