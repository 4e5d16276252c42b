"""The checked tree of a book: what the parser makes and lowering reads.

In:  parser.
Out: lowering. Every name is already bound to what it declares and every node has its type, because
     a name with spaces cannot be parsed without knowing what is declared.

There is no code in it. A new node is one class in the file of its family: what stands there is found here.
"""

from rulewright.book.tree.base import *  # noqa: F403
from rulewright.book.tree.checks import *  # noqa: F403
from rulewright.book.tree.declared import *  # noqa: F403
from rulewright.book.tree.kinds import *  # noqa: F403
from rulewright.book.tree.numbers import *  # noqa: F403
from rulewright.book.tree.plain import *  # noqa: F403
from rulewright.book.tree.selectors import *  # noqa: F403
from rulewright.book.tree.statements import *  # noqa: F403
from rulewright.book.tree.things import *  # noqa: F403
