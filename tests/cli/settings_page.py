"""The page `docs/settings.md`, from the declarations of the settings.

Run as `python -m tests.cli.settings_page >docs/settings.md`.
"""

import sys

from deploy.settings import DECLARED


def settings_page() -> str:
    """All settings as a page of Markdown."""
    lines = [
        "# Settings",
        "",
        "Command line, then environment, then `catwalk.toml`, then default; `catwalk doctor` shows each value",
        "and where it came from. In the file `[clickhouse] host = ...` and `clickhouse_host = ...` say the same.",
        "A secret may stand in its variable or in a file that the variable with `_FILE` names, nowhere else.",
        "",
        "`signing_key` and `checkpoints` belong together: every command that is given one alone ends with status 2,",
        "and so does every command where both are given and the mode is distributed, for checkpoints of topics are",
        "not written yet. [evidence.md](evidence.md) says what checkpoints are and who writes them.",
        "",
        "| setting | variable | default | meaning |",
        "|---|---|---|---|",
    ]
    for setting in DECLARED:
        variable = f"`{setting.variable}`" + (f", `{setting.file_variable}`" if setting.secret else "")
        default = "" if setting.default == "" else f"`{str(setting.default).lower()}`"
        if isinstance(setting.default, str) and setting.default:
            default = f"`{setting.default}`"
        lines.append(f"| `{setting.name}` | {variable} | {default} | {setting.doc} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(settings_page())
