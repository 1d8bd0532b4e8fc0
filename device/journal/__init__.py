"""The only thing stored: every accepted event, on the disk before anybody sees what came of it."""

from device.journal.file import SqliteJournal
from device.journal.kept import KeptJournal
from device.journal.rows import Journal, JournalDamaged, JournalError, MemoryJournal, Row

__all__ = ["Journal", "JournalDamaged", "JournalError", "KeptJournal", "MemoryJournal", "Row", "SqliteJournal"]
