"""Nothing that opens a door is told to the log of a service: neither code nor PIN, right or wrong, nor a token."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from tests.waiting import PATIENCE_S, waited

PIN, WRONG = "27418365", "18273645"


def test_a_whole_evening_leaves_no_secret_in_the_log(tmp_path: Path) -> None:
    config, runtime = tmp_path / "p.toml", tmp_path / "run"
    runtime.mkdir()
    config.write_text(
        f'[camera]\nkind = "none"\n[terminal]\nshow = false\n[journal]\nfile = "{tmp_path / "journal.db"}"\n'
        '[network]\npassword = "zandzandzand"\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "device.cli", "run", "--config", config, "--host", "127.0.0.1", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "RUNTIME_DIRECTORY": str(runtime), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    address = said.split()[1].rstrip("/")
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def ask(path: str, fields: dict[str, str] | None = None, body: object = None) -> int:
        data = urllib.parse.urlencode(fields).encode() if fields else None
        headers = {"Origin": address}
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            with browser.open(urllib.request.Request(address + path, data, headers), timeout=PATIENCE_S) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    try:
        assert waited(lambda: (runtime / "table-code").exists())
        code = (runtime / "table-code").read_text().strip()
        assert re.fullmatch("[0-9]{6}", code)
        assert stat.S_IMODE((runtime / "table-code").stat().st_mode) == 0o600
        assert ask("/device/pin", {"pin": PIN, "again": PIN}) == 200
        assert ask("/device/pin", {"pin": WRONG}) == 403
        assert ask(f"/play?code={code}") == 200
        assert ask("/play?code=000001") == 403
        assert ask("/play/code", {"code": code}) == 200
        event = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "seq": 0, "code": code}
        assert ask("/api/v1/events", body=event) == 200
        assert ask("/api/v1/events", body={**event, "code": "000001"}) in (403, 409)
        assert ask("/api/v1/events", body=[code]) == 400
        assert ask(f"/nowhere?code={code}&pin={PIN}") == 404
        tokens = [cookie.value for cookie in jar if cookie.value and len(cookie.value) > 16]
    finally:
        process.send_signal(signal.SIGTERM)
        said += process.communicate(timeout=PATIENCE_S)[0]
    assert tokens
    for secret in (code, PIN, WRONG, "000001", "zandzandzand", *tokens):
        assert secret not in said, said
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name not in ("table-code", "p.toml"):
            kept = path.read_bytes()
            assert PIN.encode() not in kept, path
            assert not any(token.encode() in kept for token in tokens), path
