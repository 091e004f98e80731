"""What is said when stays as it is: a change that is meant is read as a difference first."""

from tests.golden.said import SAID, streams, summed

REMEDY = (
    "`python -m tests.golden.said FOLDER` in this checkout and in the one before, `diff -r` of the two folders;"
    " if the difference is meant, `python -m tests.golden.said` writes the file anew"
)


def test_what_is_said_when_is_as_the_file_tells() -> None:
    now = [summed(stream) for stream in streams()]
    before = SAID.read_text("utf-8").splitlines()
    assert [line for line in now if line not in before] == [], REMEDY
    assert len(now) == len(before), REMEDY
