"""Files -> definitions: cutting text into pieces and tokens, nothing about kinds."""
