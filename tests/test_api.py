"""What `import boulanger` offers programs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import boulanger


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, boulanger; print(sorted({'numba', 'numpy', 'click'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_each_public_name_is_a_function() -> None:
    for name in boulanger.__all__:
        assert callable(getattr(boulanger, name)), name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        boulanger.slove  # noqa: B018
