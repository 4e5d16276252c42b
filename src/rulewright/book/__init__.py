"""Text -> checked tree: what a book says."""
