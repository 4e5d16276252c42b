"""Books as machine code: the native engine and batches of matches."""

from rulewright.native.batch import Runner, play_batch, result_columns
from rulewright.native.engine import NativeEngine
from rulewright.native.tally import Tally
from rulewright.play.setup import offer_engine

__all__ = ["NativeEngine", "Runner", "Tally", "play_batch", "result_columns"]

offer_engine("native", NativeEngine)
