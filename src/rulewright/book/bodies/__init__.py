"""Fields -> trees: what each kind of definition says."""
