"""LLVM text to machine code, and machine code into the process.

In:  Source from `module`.
Out: object code (bytes), and `Loaded`: the addresses of its entry points.

Object code refers to nothing outside itself (what it needs of the C library it finds through its
arena), so a cached object is loaded by copying it into memory.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass
from typing import Any

import llvmlite
import llvmlite.binding

from rulewright.native.module import EXPORTS, Shape, Source

llvm: Any = llvmlite.binding  # it has no types

_lock = threading.Lock()
_names = itertools.count()
_linker: list[Any] = []


@dataclass(frozen=True, slots=True)
class Loaded:
    """Code in memory; it is unloaded when this is dropped."""

    tracker: Any
    addresses: dict[str, int]


def target_name() -> str:
    """The machine code is written for: part of every cache key."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def compile_object(source: Source) -> bytes:
    """Machine code for this processor, as an object file."""
    with _lock:
        _initialize()
        module = llvm.parse_assembly(source.text, llvm.create_context())
        machine = _machine(2 if source.shape == "merged" else 1)
        module.triple = llvm.get_process_triple()
        module.data_layout = str(machine.target_data)
        _optimize(module, machine, source.shape)
        return machine.emit_object(module)


def load_object(code: bytes) -> Loaded:
    """Put object code into the process. Raises RuntimeError when it is not object code of ours."""
    with _lock:
        _initialize()
        if not _linker:
            _linker.append(llvm.create_lljit_compiler(_machine(1), use_jit_link=False))
        builder = llvm.JITLibraryBuilder()
        builder.add_object_img(code)
        for name in EXPORTS:
            builder.export_symbol(name)
        tracker = builder.link(_linker[0], f"program{next(_names)}")
        return Loaded(tracker, {name: tracker[name] for name in EXPORTS})


def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine(level: int) -> Any:
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="small",
    )


def _optimize(module: Any, machine: Any, shape: Shape) -> None:
    options = llvm.create_pipeline_tuning_options(2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    if shape == "merged":
        builder.getModulePassManager().run(module, builder)
        return
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    if shape == "chained":
        passes.add_jump_threading_pass()
        passes.add_new_gvn_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
    passes.run(module, builder)
    if shape == "light":
        # From here on only the quick instruction selector: it takes a quarter of the time, and after
        # the passes above what it produces is hardly slower.
        for function in module.functions:
            if not function.is_declaration and b"alwaysinline" not in b"".join(function.attributes):
                function.add_function_attribute("optnone")
                function.add_function_attribute("noinline")
