"""Where in the video a step is: links where the property has set one, the cameras' names where it has not."""

from dashboards.accounts.accounts import Accounts
from dashboards.web.console import Console
from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import simulate_table
from tests.console.conftest import Clock
from tests.console.hands_building import SignedIn, a_console, console, store
from tests.hands.stored import Recorded

__all__ = ["console", "store"]


def test_a_camera_without_a_link_is_named_and_the_page_says_what_is_missing(
    console: Console, signed_in: SignedIn
) -> None:
    hale = signed_in("hale")
    linked = hale.get("/hands/BJ-12/1").text
    assert 'href="https://video.example/C-0217?t=' in linked
    assert "No link to their video" not in linked
    object.__setattr__(console, "video", "")
    page = hale.get("/hands/BJ-12/1").text
    assert "C-0217, C-0218" in page
    assert "No link to their video is set (setting <code>video</code>)" in page
    assert "video.example" not in page
    assert "No camera is configured" not in page
    assert hale.get("/api/hands/BJ-12/1").json()["steps"][0]["videos"] == [["C-0217", ""], ["C-0218", ""]]


def test_only_a_table_without_cameras_is_said_to_have_none(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    lines = list(simulate_table(usual_setup("free_bet_672a", "FB-1", cameras=()), 1, 1))
    made = a_console(console.desk, accounts, clock, Recorded(lines, "FB-1").store)
    for name in ("records", "states"):
        object.__setattr__(console, name, getattr(made, name))
    page = signed_in("hale").get("/hands/FB-1/1").text
    assert "No camera is configured for this table" in page
    assert "video.example" not in page
