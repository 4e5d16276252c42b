"""Somebody who watches a table during a siege, in a process of their own: the siege itself is busy.

In:  the ports of a server of ours and of one that does nothing.
Out: a line of JSON for each second: when it began and ended, the times of requests to ours and to the other,
     or why there was none.

Both are asked from the same process in turns, from an address that nothing bad comes from. So whatever this
machine does to the one it does to the other.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import httpx  # noqa: E402

from attack.floods import Bystander  # noqa: E402
from serve.tables_kit import TWO  # noqa: E402


def idle(port: int) -> float:
    """Seconds for one request to a server that does nothing."""
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), 10, ("127.0.0.2", 0)) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
        while sock.recv(1000):
            pass
    return time.perf_counter() - began


def table_at(port: int) -> str:
    transport = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
        made: dict[str, Any] = http.post("/api/tables", json={"book": "hands", "seats": TWO}).json()
    return str(made["table"])


def main() -> None:
    port, other = int(sys.argv[1]), int(sys.argv[2])
    stander: Bystander | None = None
    while True:
        began = time.monotonic()
        said: dict[str, Any] = {"began": began, "times": [], "idle": [], "failed": ""}
        try:
            stander = stander or Bystander(port, table_at(port))
            said["times"] = stander.watch(1)
        except Exception as error:  # whatever it is, it is told
            said["failed"] = f"{type(error).__name__}: {error}"[:200]
            stander = None
            time.sleep(0.5)
        said["idle"] = [idle(other) for _ in range(len(said["times"]) or 10)]
        print(json.dumps({**said, "ended": time.monotonic()}), flush=True)


if __name__ == "__main__":
    main()
