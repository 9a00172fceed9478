"""Errors of the system are those of bevscope, with the path once."""

import os

import pytest

from bevscope import InvalidArgument, NotFound, ReadError
from bevscope._convert import waymo
from bevscope._sources.files import accessing, raise_error, read_file, reading, writing


def test_an_absent_file_is_not_found(tmp_path):
    path = str(tmp_path / "absent")
    with pytest.raises(NotFound) as caught:
        read_file(path)
    assert str(caught.value) == f"{path}: not found"


@pytest.mark.parametrize(
    ("guard", "reason"),
    [
        (accessing, "No such file or directory"),
        (writing, "write failed: No such file or directory"),
    ],
)
def test_an_error_of_the_system_is_a_read_error(tmp_path, guard, reason):
    with pytest.raises(ReadError) as caught, guard("out"):
        os.rmdir(tmp_path / "absent")
    assert (str(caught.value), caught.value.code) == (f"out: {reason}", "io")


@pytest.mark.parametrize("guard", [accessing, reading, writing])
def test_errors_of_bevscope_stay_as_they_are(guard):
    for error in (ReadError("a: b", "network"), InvalidArgument("c")):
        with pytest.raises(type(error)) as caught, guard("out"):
            raise error
        assert caught.value is error


def test_a_folder_is_no_file(tmp_path):
    for read in (read_file, waymo.find_records):
        with pytest.raises(ReadError) as caught:
            read(str(tmp_path))
        assert str(caught.value) == f"{tmp_path}: Is a directory"


def test_the_error_of_a_folder_names_it():
    with pytest.raises(ReadError, match="^closed: Permission denied$"):
        raise_error(PermissionError(13, "Permission denied", "closed"))
