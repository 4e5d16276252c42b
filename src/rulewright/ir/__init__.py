"""The contract between compiling and running: instructions, tables, their text, and the passes on them."""
