"""LLVM text to machine code, and machine code into the process.

In:  LLVM text.
Out: object code (bytes), and `Loaded`: the addresses of its entry points.

Object code refers to nothing outside itself (what it needs of the C library it finds through its
arena), so a cached object is loaded by copying it into memory.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import llvmlite
import llvmlite.binding

from rulewright.native.module import EXPORTS

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


Care = Literal["none", "some", "much", "utmost"]
"""How well to compile. Each step takes LLVM two to four times as long as the one before; the code then
runs three, two and one and a half times as fast."""


def compile_texts(texts: Iterable[tuple[str, Care]]) -> tuple[bytes, ...]:
    """Machine code for this processor, one object file for each text. Texts may still be in the making:
    each is compiled as soon as it is there, beside the others."""
    with _lock:
        _initialize()
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return tuple(pool.map(_compile, texts))


def _compile(task: tuple[str, Care]) -> bytes:
    text, care = task
    machine = _machine({"none": 0, "some": 1, "much": 1, "utmost": 2}[care])
    module = llvm.parse_assembly(text, llvm.create_context())
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    _optimize(module, machine, care)
    return _emit(module, machine)


def _unlocked(name: str) -> Any:
    """A function of LLVM without llvmlite's global lock around it. LLVM itself needs none between
    modules of different contexts, and each of ours has its own; should a later llvmlite keep its lock
    elsewhere, the locked function does as well, only one part at a time."""
    wrapped = getattr(llvm.ffi.lib, name)
    return getattr(wrapped, "_cfn", wrapped)


def _emit(module: Any, machine: Any) -> bytes:
    lib = llvm.ffi.lib
    with llvm.ffi.OutputString() as problem:
        memory = _unlocked("LLVMPY_TargetMachineEmitToMemory")(machine, module, 1, problem)
        if not memory:
            raise RuntimeError(str(problem))
    try:
        return ctypes.string_at(lib.LLVMPY_GetBufferStart(memory), lib.LLVMPY_GetBufferSize(memory))
    finally:
        lib.LLVMPY_DisposeMemoryBuffer(memory)


def load_objects(code: Sequence[bytes], exports: Sequence[str] = EXPORTS) -> Loaded:
    """Put object code with these entry points into the process. Raises RuntimeError when it is not ours."""
    with _lock:
        _initialize()
        if not _linker:
            # The older linker asks for memory section by section. In a process that has taken gigabytes they
            # may come out further apart than code reaches, and LLVM then ends the process.
            _linker.append(llvm.create_lljit_compiler(_machine(1), use_jit_link=True))
        builder = llvm.JITLibraryBuilder()
        for part in code:
            builder.add_object_img(part)
        for name in exports:
            builder.export_symbol(name)
        tracker = builder.link(_linker[0], f"program{next(_names)}")
        return Loaded(tracker, {name: tracker[name] for name in exports})


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


def _optimize(module: Any, machine: Any, care: Care) -> None:
    options = llvm.create_pipeline_tuning_options(3 if care == "utmost" else 2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = care == "utmost"  # elsewhere it only costs time
    builder = llvm.create_pass_builder(machine, options)
    if care in ("much", "utmost"):
        passes = builder.getModulePassManager()
    else:
        passes = llvm.create_new_module_pass_manager()
        if care == "some":
            passes.add_always_inliner_pass()
            passes.add_global_dead_code_eliminate_pass()
        passes.add_sroa_pass()
        if care == "some":
            passes.add_instruction_combine_pass()
            passes.add_simplify_cfg_pass()
    _unlocked("LLVMPY_RunNewModulePassManager")(passes, module, builder)
    if care == "some":
        for function in module.functions:
            if not function.is_declaration:  # for the quick instruction selector
                function.add_function_attribute("optnone")
                function.add_function_attribute("noinline")
