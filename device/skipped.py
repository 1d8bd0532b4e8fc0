"""Pictures of a recording that cannot be used, told one a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from device.one_line import one_line
from vision.recording import Skipped


def to_json(skipped: Skipped) -> dict[str, object]:
    """The line of the contract.

    >>> to_json(Skipped("2.jpg", "empty", "2.jpg is an empty file."))["error"]["reason"]
    'empty'
    """
    return {"image": skipped.source, "error": {"reason": skipped.reason, "message": skipped.message}}


def teller(command: str, as_json: bool) -> Callable[[Skipped], None]:
    """Tells each on standard output as JSON, or in a sentence on standard error."""

    def tell(skipped: Skipped) -> None:
        if as_json:
            print(json.dumps(to_json(skipped)), flush=True)
        else:
            print(f"pietjesoog {command}: {one_line(skipped.message)}", file=sys.stderr, flush=True)

    return tell
