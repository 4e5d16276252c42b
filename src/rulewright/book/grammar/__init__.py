"""Tokens -> trees: the language itself.

Whoever imports any part of it has all of it: the modules file the readers that `dispatch` hands out.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
