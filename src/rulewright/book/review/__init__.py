"""The book as a whole: what no single line shows."""
