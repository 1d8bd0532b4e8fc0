"""Releases: packed the same each time, and taken only by a known signature or a told hash."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing: apt-get install openssh-client"
)
INSTALLER = """set -eu
say() { printf '%s\\n' "pietjesoog: $*" >&2; }
fail() { say "$*"; exit 2; }
KEYS=$1; archive=$2; hash=$3; key=$4
. hardware/service/archive.sh
[ -z "$key" ] || trust "$key"
[ -z "$archive" ] || verified "$archive" "$archive.sig"
"""


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "theirs"):
        assert run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name).returncode == 0
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """What is verified is bytes; these are few."""
    file = tmp_path / "pietjesoog-9.tar.gz"
    file.write_bytes(b"a release")
    return file


def sign(key: Path, file: Path, namespace: str = "pietjesoog-release") -> None:
    file.with_name(file.name + ".sig").unlink(missing_ok=True)
    assert run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, file).returncode == 0


def taken(known: Path, archive: Path | str, told: str = "", key: Path | str = "") -> tuple[bool, str]:
    done = run("sh", "-c", INSTALLER, "installer", known, archive, told, key)
    return done.returncode == 0, done.stderr.strip()


def test_with_a_known_key_only_its_signature_counts(tmp_path: Path, keys: Path, archive: Path) -> None:
    known = tmp_path / "etc" / "release.keys"
    assert taken(known, "", key=keys / "ours.pub")[0]
    right = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert taken(known, archive, right) == (
        False,
        f"pietjesoog: the signature {archive}.sig is missing; nothing was changed",
    )
    sign(keys / "theirs", archive)
    assert not taken(known, archive)[0]
    sign(keys / "ours", archive, "git")
    assert not taken(known, archive)[0], "signed by us, for something else"
    sign(keys / "ours", archive)
    assert taken(known, archive) == (True, "")
    assert taken(known, archive, right.upper()) == (True, "")
    assert not taken(known, archive, "0" * 64)[0], "both must be right where both are told"
    archive.write_bytes(b"a release!")
    assert not taken(known, archive)[0]


def test_without_a_key_the_hash_must_be_told(tmp_path: Path, archive: Path) -> None:
    known = tmp_path / "release.keys"
    right = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert taken(known, archive, right) == (True, "")
    for told in ("", "00", right[:-1], right + "0"):
        well, said = taken(known, archive, told)
        assert not well
        assert said.startswith("pietjesoog: ")
        assert "\n" not in said


def test_what_is_no_key_is_refused_and_changes_nothing(tmp_path: Path, keys: Path) -> None:
    known = tmp_path / "release.keys"
    assert taken(known, "", key=keys / "ours.pub")[0]
    before = known.read_bytes()
    (tmp_path / "none").write_text("ssh-nonsense AAAA\n* everybody\n")
    for wrong in (tmp_path / "none", keys / "ours", tmp_path / "nowhere"):
        assert not taken(known, "", key=wrong)[0]
        assert known.read_bytes() == before
    assert [path.name for path in tmp_path.glob("release.keys*")] == ["release.keys"]


def test_where_a_part_is_missing_nothing_is_packed_or_signed(tmp_path: Path, keys: Path) -> None:
    project, out = tmp_path / "project", tmp_path / "out"
    for name in ("hardware/image/release.sh", "hardware/service/packed.sh", "pyproject.toml", "README.md"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    done = run("sh", project / "hardware/image/release.sh", out, keys / "ours")
    assert done.returncode != 0
    assert "SECURITY.md" in done.stderr
    assert not list(out.iterdir())


@pytest.mark.slow
def test_it_is_packed_the_same_each_time_and_holds_what_is_installed(tmp_path: Path, keys: Path) -> None:
    made = []
    for name in ("one", "two"):
        assert run("sh", "hardware/image/release.sh", tmp_path / name, keys / "ours").returncode == 0
        made.append(next((tmp_path / name).glob("*.tar.gz")))
    assert made[0].read_bytes() == made[1].read_bytes()
    told = made[0].with_name(made[0].name + ".sha256").read_text().split()[0]
    assert told == hashlib.sha256(made[0].read_bytes()).hexdigest()
    with tarfile.open(made[0]) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    for needed in (
        "hardware/install.sh",
        "hardware/image/trixie.txt",
        "pyproject.toml",
        "models/dice.onnx",
        "models/upright.onnx",
        "models/hand.onnx",
    ):
        assert needed in names
    assert {"LICENSE", "README.md", "SECURITY.md"} <= set(names)
    unwanted = ("tests/", "work/", ".git", ".venv", "hardware/stl/")
    assert not [name for name in names if name.startswith(unwanted) or "__pycache__" in name]
    known = tmp_path / "release.keys"
    assert taken(known, made[0], key=keys / "ours.pub") == (
        True,
        f"pietjesoog: releases signed by the keys of {keys / 'ours.pub'} are taken from now on",
    )
