"""The server's process: loads the engine's library and keeps it listening; run by path, without a package.

python clickhouse_server.py LIBRARY FOLDER PORT [CONFIG.xml]
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Serve until a signal ends the process; return only when the engine gave up."""
    library, folder, port, *config = arguments
    data = Path(folder)
    data.mkdir(parents=True, exist_ok=True)
    quoted = folder.replace("\\", "\\\\").replace("'", "\\'")
    # The engine runs one query and ends; so the query listens, leaves a mark, and then never ends.
    query = (
        "SYSTEM START LISTEN TCP;"
        f" SELECT 1 INTO OUTFILE '{quoted}/ready' TRUNCATE FORMAT TSV;"
        " SELECT sleepEachRow(1) FROM system.numbers FORMAT Null"
        " SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0"
    )
    words = ["clickhouse", f"--path={folder}", "--listen_host=127.0.0.1", f"--tcp_port={port}"]
    words += ["--logger.console=1", "--log-level=information", f"--query={query}"]
    words += [f"--config-file={path}" for path in config]
    engine = ctypes.CDLL(library)
    engine.query_stable_v2.restype = ctypes.c_void_p
    vector = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
    engine.query_stable_v2(len(words), vector)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
