"""Saved dealers: files in the user's configuration folder, and which one game codes use.

The name of a dealer is that of its file without `.toml`. Beside the folder of dealers,
`settings.toml` says which one is in use. What is in the files is looked at only when one is
wanted, since most of the time none is wanted.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import platformdirs

from boulanger.engine.deals.dealers import BK1, DEALERS
from boulanger.engine.errors import BoulangerError, DealError
from boulanger.engine.words import joined, message
from boulanger.solver.files import write_whole

if TYPE_CHECKING:
    from boulanger.solver.identify.dealer_file import SavedDealer

_SUFFIX: Final = ".toml"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def folder() -> Path:
    """Where saved dealers are; not created here."""
    return _settings_folder() / "dealers"


def saved_names() -> list[str]:
    """The names of the files in the folder, sorted, readable or not."""
    try:
        return sorted(path.stem for path in folder().iterdir() if path.suffix == _SUFFIX)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DealError("dealers.folder", path=repr(str(folder())), reason=_reason(error)) from None


def check_new_name(name: str) -> None:
    """Raises DealError unless a dealer could be saved under this name."""
    if not _is_good_name(name):
        raise DealError("dealers.bad_name", name=name, good=_good_name())
    if path_of(name).exists():
        raise DealError("dealers.taken", name=repr(name), path=repr(str(path_of(name))))


def _good_name() -> dict[str, Any]:
    """What a name must be, as a fact."""
    return message("dealers.good_name", names=joined(list(DEALERS), "join.or"))


def _is_good_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name not in DEALERS


def path_of(name: str) -> Path:
    """The file of the dealer of that name."""
    return folder() / f"{name}{_SUFFIX}"


def save(dealer: SavedDealer) -> Path:
    """Writes a new dealer; returns its file.

    Raises:
        DealError: if its name will not do, or its file cannot be written.
    """
    from boulanger.solver.identify.dealer_file import format_dealer

    check_new_name(dealer.name)
    path = path_of(dealer.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Never over another one, should it have come about since the check.
        write_whole(path, format_dealer(dealer).encode(), is_new=True)
    except OSError as error:
        raise DealError("file.unwritable", name=repr(str(path)), reason=_reason(error)) from None
    return path


def load(name: str) -> SavedDealer:
    """The dealer of that name.

    Raises:
        DealError: if there is none, or what is wrong with its file.
    """
    from boulanger.solver.identify.dealer_file import MAX_BYTES, parse_dealer

    names = saved_names()
    if name not in names:
        known = ", ".join([BK1.name, *names])
        raise DealError("dealers.unknown", name=name, known=known)
    path = path_of(name)
    if not _is_good_name(name):
        raise DealError("dealers.rename", path=repr(str(path)), good=_good_name())
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DealError("file.unreadable", name=repr(str(path)), reason=_reason(error)) from None
    try:
        return parse_dealer(name, data)
    except BoulangerError as error:
        raise DealError("error.at", where=repr(str(path)), error=error.message) from None
    except (ValueError, RecursionError):  # thousands of digits, or brackets within brackets
        raise DealError("dealers.long_value").at(repr(str(path))) from None


def dealer_in_use() -> str:
    """The name of the dealer that game codes use: bk1 unless another one was chosen."""
    name = _settings().get("dealer", BK1.name)
    if not isinstance(name, str):
        raise DealError("dealers.not_a_name", value=_shown(name)).at(repr(str(_settings_file())))
    return name


def use(name: str) -> None:
    """Lets game codes use a dealer from now on.

    Raises:
        DealError: if there is none of that name, or its file is wrong.
    """
    if name != BK1.name:
        load(name)
    import tomli_w

    try:
        settings = _settings()
    except DealError:
        settings = {}  # unreadable: made anew
    _write(_settings_file(), tomli_w.dumps({**settings, "dealer": name}))


def _settings_folder() -> Path:
    return Path(platformdirs.user_config_dir("boulanger", False))


def _settings_file() -> Path:
    return _settings_folder() / "settings.toml"


def _settings() -> dict[str, Any]:
    path = _settings_file()
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DealError("file.unreadable", name=repr(str(path)), reason=_reason(error)) from None
    except (ValueError, RecursionError):  # not UTF-8 or not TOML, or numbers or lists beyond reason
        raise DealError("dealers.not_toml", path=repr(str(path))) from None


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or brackets within brackets
        return "far too long"


def _write(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise DealError("file.unwritable", name=repr(str(path)), reason=_reason(error)) from None


def _reason(error: OSError) -> str:
    return str(error.strerror or error)
