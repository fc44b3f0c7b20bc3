"""The page of the text world: coming in, reading, typing, and fights in which the rings are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.axe import AXE, faults
from tests.browser.conftest import NewScreen
from tests.browser.fake_world import ROOM, FakeWorld, fake_world

POLL_S = 0.02
SCROLL_EVENT_AFTER_RESIZE = """() => new Promise(done => requestAnimationFrame(() => {
  document.querySelector('#danger').style.minHeight = '380px';
  document.querySelector('.log').dispatchEvent(new Event('scroll'));  // of what was added before
  requestAnimationFrame(() => setTimeout(done, 50));
}))"""
TEXTS_BEYOND_THEIR_BOX = """places => places.flatMap(place => {
  const box = place.querySelector('rect').getBoundingClientRect();
  return [...place.querySelectorAll(':scope > text:not(.map-marks)')].filter(text => {
    const { left, right } = text.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1;
  }).map(text => text.textContent);
})"""
DEADLINE_S = 60


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    """A world that sends the messages of a test."""
    with fake_world() as running:
        yield running


def until(holds: Callable[[], Any]) -> Any:
    """Wait until `holds` returns a true value, and return that."""
    end = time.monotonic() + DEADLINE_S
    while not (found := holds()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(POLL_S)
    return found


def enter(new_screen: NewScreen, world: FakeWorld, **options: Any) -> Any:
    """Return the page of a guest who has logged in."""
    return come_in(new_screen(**options).page, world)


def come_in(page: Any, world: FakeWorld) -> Any:
    """Let a page in as a guest; return it."""
    page.goto(f"http://127.0.0.1:{world.port}/")
    page.get_by_role("button", name="As a guest").click()
    page.wait_for_selector(".exit")
    page.wait_for_selector("#door", state="hidden")
    return page


def lines(world: FakeWorld) -> list[str]:
    return [text for name, text in world.heard if name == "line"]


def reacts(world: FakeWorld) -> list[dict[str, Any]]:
    return [data for name, data in world.heard if name == "Combat.React"]


def clock_known(world: FakeWorld) -> None:
    """Wait until the page has sent some pings."""
    until(lambda: sum(name == "Time.Ping" for name, _ in world.heard) >= 3)


def test_a_guest_sees_the_place_and_goes_by_button_and_by_digit(
    new_screen: NewScreen, world: FakeWorld
) -> None:
    page = enter(new_screen, world)
    assert page.locator(".room-name").inner_text() == "A clearing"
    assert "Grass, trodden flat" in page.locator(".log").inner_text()
    assert "[64/100 hp" not in page.locator(".log").inner_text()
    page.get_by_role("button", name="east", exact=True).click()
    page.locator("#line").focus()
    page.keyboard.press("3")
    until(lambda: lines(world)[-2:] == ["go east", "go south"])


def test_a_kept_name_asks_for_its_passphrase(new_screen: NewScreen, world: FakeWorld) -> None:
    page = new_screen().page
    page.goto(f"http://127.0.0.1:{world.port}/")
    page.get_by_label("Your name").fill("Kept")
    page.keyboard.press("Enter")
    page.get_by_label("Passphrase").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_text("That is not the passphrase.", exact=True).first.wait_for()
    page.get_by_label("Passphrase").fill("right")
    page.keyboard.press("Enter")
    page.wait_for_selector(".exit")
    assert page.locator("#who").inner_text() == "Kept"


def test_a_taken_name_is_refused_with_the_reason(new_screen: NewScreen, world: FakeWorld) -> None:
    page = new_screen().page
    page.goto(f"http://127.0.0.1:{world.port}/")
    page.get_by_label("Your name").fill("Taken")
    page.keyboard.press("Enter")
    page.locator(".door-problem", has_text="here already").wait_for()
    assert page.get_by_label("Your name").is_visible()


def test_a_spectator_comes_in_by_a_button_and_finds_nothing_to_act_with(
    new_screen: NewScreen, world: FakeWorld
) -> None:
    page = new_screen().page
    page.goto(f"http://127.0.0.1:{world.port}/")
    page.get_by_label("Or only watch a place or a player").fill("clearing")
    page.get_by_role("button", name="Watch", exact=True).click()
    page.wait_for_selector(".exit")
    page.wait_for_selector("#door", state="hidden")
    assert lines(world) == ["watch clearing"]
    assert page.locator("#who").inner_text() == "Watching"
    assert page.locator(".exit:enabled").count() == 0
    assert not page.locator("#self, #danger").locator("visible=true").count()
    assert not page.get_by_role("button", name="Mind").is_visible()
    page.keyboard.press("1")
    page.locator(".one.creature").first.click()
    assert page.locator(".choice:visible").all_inner_texts() == ["look"]
    page.reload()
    until(lambda: lines(world) == ["watch clearing", "watch clearing"])


def test_the_command_line_completes_and_remembers(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    line = page.locator("#line")
    line.fill("con")
    line.press("Tab")
    assert line.input_value() == "consider"
    line.fill("attack mi")
    line.press("Tab")
    assert line.input_value() == "attack mirabel"
    line.press("Enter")
    line.press("ArrowUp")
    assert line.input_value() == "attack mirabel"
    until(lambda: lines(world)[-1] == "attack mirabel")


def test_the_second_of_two_wolves_is_attacked_by_its_number(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    page.locator(".one.creature").nth(1).click()
    page.get_by_role("button", name="attack grey wolf").nth(0).click()
    until(lambda: lines(world)[-1] == "attack 2.wolf")


def test_a_ring_runs_out_from_one_message(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    world.threaten(1, "bite", 4_000_000)
    page.wait_for_selector(".threat.calm")
    shown = []
    for state in ("near", "now", "landing"):
        page.wait_for_selector(f".threat.{state}")
        shown.append(float(page.locator(".threat .left").inner_text()))
    assert shown[0] <= 2.0
    assert shown[1] <= 1.0
    assert shown[2] == 0.0
    assert "one second" in page.locator("#alert").text_content()
    world.say("Combat.Threat.Gone", {"id": 1, "why": "landed", "damage": 12})
    page.locator(".threat.hit .left", has_text="−12").wait_for()
    page.wait_for_selector(".threat", state="detached")


def test_a_reaction_is_offered_while_it_would_meet_something(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    world.threaten(1, "venom", 4_000_000)
    page.wait_for_selector(".threat.calm")
    dodge = page.locator(".reaction.useful", has_text="dodge")
    dodge.wait_for()
    deflect = page.locator(".reaction.useful", has_text="deflect")
    assert deflect.count() == 0, "what lands in four seconds is beyond its band"
    deflect.wait_for()
    assert float(page.locator(".threat .left").inner_text()) <= 1.6
    assert page.locator(".reaction.useful", has_text="parry").count() == 0
    world.say("Combat.Threat.Gone", {"id": 1, "why": "deflected", "damage": 0})
    dodge.wait_for(state="detached")


def test_stopped_time_freezes_every_ring(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    now_us = world.now_us()
    for number in (1, 2):
        world.threaten(number, "fire", 60_000_000)
    world.say("Time.Segment", {"g": now_us + 30_000_000, "w": now_us, "rate": 0})
    page.get_by_text("Time stands still", exact=True).wait_for()
    left = page.locator(".threat .left")
    until(lambda: left.first.inner_text() < "40")
    before = left.all_inner_texts()
    page.wait_for_timeout(400)
    assert left.all_inner_texts() == before
    now_us = world.now_us()
    world.say("Time.Segment", {"g": now_us, "w": now_us, "rate": 1_000_000})
    until(lambda: left.all_inner_texts() != before)


def test_a_reaction_is_stamped_predicted_and_confirmed(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    world.threaten(1, "bite", 20_000_000)
    world.threaten(2, "fire", 30_000_000)
    page.locator(".threat").nth(1).wait_for()
    page.locator("#line").focus()
    page.keyboard.press("Shift+P")
    page.locator(".threat.predicted .answers", has_text="parried?").wait_for()
    sent = until(lambda: reacts(world))[0]
    assert sent["reaction"] == "parry"
    assert abs(sent["at"] - world.now_us()) < 5_000_000
    world.say("Combat.Threat.Gone", {"id": 1, "why": "parried", "damage": 0})
    world.say("Combat.Result", {"ok": True, "why": "parried", "at": sent["at"], "taken": [1], "early_us": 0})
    page.locator(".threat.met .answers", has_text="parried").wait_for()


def test_a_refused_reaction_takes_its_prediction_back(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    at_us = world.now_us()
    threat = {"id": 4, "from": 7, "name": "wolf", "kind": "bite", "at": at_us, "us": 30_000_000}
    world.say("Combat.Threat.Add", threat)
    page.wait_for_selector(".threat")
    page.locator(".reaction", has_text="dodge").click()
    page.wait_for_selector(".threat.predicted")
    refusal = {"ok": False, "why": "you are too tired", "at": at_us, "threats": [threat], "early_us": 0}
    world.say("Combat.Result", refusal)
    page.wait_for_selector(".threat:not(.predicted)")
    page.get_by_text("You are too tired.", exact=True).wait_for()
    world.say("Combat.Threat.Gone", {"id": 4, "why": "landed", "damage": 3})
    page.get_by_text("You are too tired.", exact=True).wait_for(state="detached")


def test_a_typed_reaction_is_stamped_like_a_pressed_one(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    clock_known(world)
    page.locator("#line").fill("ward 3")
    page.keyboard.press("Enter")
    sent = until(lambda: reacts(world))[0]
    assert (sent["reaction"], sent["id"]) == ("ward", 3)
    assert "at" in sent
    assert "ward 3" not in lines(world)


def test_the_queue_is_shown_and_stopped(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    world.say("Char.Queue", {"commands": ["go north", "rest"], "max": 16})
    page.locator(".queue li").nth(1).wait_for()
    assert page.locator(".queue li").all_inner_texts() == ["go north", "rest"]
    page.get_by_role("button", name="Stop").click()
    until(lambda: lines(world)[-1] == "stop")


def test_after_a_lost_line_and_after_a_reload_the_same_character_comes_back(
    new_screen: NewScreen, world: FakeWorld
) -> None:
    page = enter(new_screen, world)
    world.threaten(1, "bite", 60_000_000)
    page.wait_for_selector(".threat")
    world.drop(1011)
    until(lambda: lines(world)[-1] == "GuestA")
    page.wait_for_selector("html:not(.away)")
    assert page.locator(".threat").count() == 0
    assert page.locator(".room-name").inner_text() == "A clearing"
    page.reload()
    until(lambda: lines(world).count("GuestA") == 2)
    page.wait_for_selector(".exit")
    world.drop(1000, "Farewell.")
    page.get_by_role("button", name="Come in again").wait_for()


def test_text_of_other_people_stays_text(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world)
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    world.show(f"{evil}\x1b]0;title\x07\x1b[2J\r\n")
    world.say("Room.Info", {"name": evil, "exits": {evil: "x"}, "here": [{"id": 1, "name": evil}]})
    world.say(
        "Combat.Threat.Add", {"id": 1, "name": evil, "kind": evil, "at": world.now_us(), "us": 9_000_000}
    )
    world.say("Char.Queue", {"commands": [evil], "max": 1})
    page.locator(".log", has_text="onerror").wait_for()
    page.locator(".threat .what", has_text="onerror").wait_for()
    assert page.locator("main img, main script").count() == 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 720), (2560, 1300)])
def test_nothing_is_cut_off_on_any_screen(
    new_screen: NewScreen, world: FakeWorld, width: int, height: int
) -> None:
    page = enter(new_screen, world, width=width, height=height)
    world.say("Char.Queue", {"commands": ["go north and further on"] * 16, "max": 16})
    for number in range(1, 7):
        world.threaten(number, "bite", 60_000_000)
    page.locator(".threat").nth(5).wait_for()
    page.locator(".queue li").nth(15).wait_for()
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(size) == [width, height]
    assert page.locator("#line").is_visible()
    assert page.locator(".reaction").last.bounding_box()["x"] < width


def test_the_list_of_creatures_stays_readable_in_a_fight(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world, width=1280, height=720)
    crowd = [{**ROOM["here"][1], "id": 40 + k, "name": f"cellar rat {k}"} for k in range(12)]
    world.say("Room.Info", {**ROOM, "here": crowd, "here_count": len(crowd)})
    for number in range(1, 4):
        world.threaten(number, "bite", 60_000_000, "cellar rat")
    page.locator(".threat").nth(2).wait_for()
    scene = page.locator("#scene").bounding_box()
    shown = [page.locator(".one.creature").nth(k).bounding_box() for k in range(4)]
    assert all(box["y"] + box["height"] <= scene["y"] + scene["height"] for box in shown)
    assert page.locator("#map").bounding_box()["height"] >= 100


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_names_are_whole_or_cut_with_their_whole_at_hand(
    new_screen: NewScreen, world: FakeWorld, width: int, height: int
) -> None:
    page = enter(new_screen, world, width=width, height=height)
    name = "ember that sleeps"
    crowd = [{**ROOM["here"][1], "id": 40, "name": name}]
    known = {"north": "The lantern shop of the old quarter", "east": "Market street"}
    world.say("Room.Info", {**ROOM, "known": known, "here": crowd, "here_count": 1})
    world.threaten(1, "bite", 60_000_000, name)
    page.locator(".threat").wait_for()
    cut = "one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"
    for one in page.locator(".one-name, .exit-behind, .threat .who").all():
        titled = one.evaluate("one => one.closest('[title]')?.title ?? ''")
        assert not one.evaluate(cut) or one.inner_text().split(" · ")[0] in titled
        assert width > 760 or not one.evaluate(cut), one.inner_text()


def test_the_whole_map_lies_over_the_story_where_its_names_can_be_read(
    new_screen: NewScreen, world: FakeWorld
) -> None:
    page = enter(new_screen, world, width=1440, height=900)
    names = ("The hot seam", "The drowned chapel", "Mouth of the mine", "The Drowned Lantern", "A clearing")
    cells = [[f"place {k}", names[k % 5], "the wood", k % 6, k // 6] for k in range(36)]
    cells[4][0] = ROOM["id"]
    links = [[k, k + 1, "east", "west"] for k in range(35) if k % 6 < 5]
    world.say("World.Map", {"places": cells, "links": links, "stubs": [], "more": 0})
    page.locator(".map-words", has_text="36 places").wait_for()
    for whole in (False, True):
        beyond = page.locator(".map-place").evaluate_all(TEXTS_BEYOND_THEIR_BOX)
        assert beyond == []
        if not whole:
            page.get_by_role("button", name="Whole map").click()
    zoom = page.get_by_role("button", name="Whole map")
    assert zoom.evaluate("button => document.activeElement === button")
    assert page.locator(".map-place").first.evaluate("one => one.getBoundingClientRect().height") >= 24
    assert page.locator("#line").is_visible()
    zoom.click()
    assert page.locator("#side #map").is_visible()


def test_lines_that_the_server_breaks_are_not_broken_again(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world, width=1440, height=900)
    columns = until(lambda: [data for name, data in world.heard if name == "Core.Size"])[-1]["columns"]
    for _ in range(60):
        world.show("x" * columns + "\r\n")
    lines = page.locator(".line", has_text="xxx")
    until(lambda: lines.count() == 60)
    heights = lines.evaluate_all("lines => [...new Set(lines.map(line => Math.round(line.clientHeight)))]")
    assert len(heights) == 1
    assert heights[0] < 30, "a line of as many letters as the page named takes two"


def test_the_story_stays_at_its_end_when_a_fight_takes_room_from_it(
    new_screen: NewScreen, world: FakeWorld
) -> None:
    page = enter(new_screen, world, width=390, height=844)
    for nth in range(60):
        world.show(f"line {nth}\r\n")
    page.locator(".line", has_text="line 59").wait_for()
    page.evaluate(SCROLL_EVENT_AFTER_RESIZE)
    gap = "log => log.scrollHeight - log.clientHeight - log.scrollTop"
    until(lambda: page.locator(".log").evaluate(gap) < 2)
    assert not page.get_by_role("button", name="New text").is_visible()


def test_without_motion_rings_are_bars_and_numbers(new_screen: NewScreen, world: FakeWorld) -> None:
    page = enter(new_screen, world, reduced_motion="reduce")
    world.threaten(1, "bite", 60_000_000)
    page.wait_for_selector(".threat .bar")
    assert page.locator(".threat .bar").is_visible()
    assert not page.locator(".threat .ring").is_visible()


@pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix build/npm --no-save axe-core@4"
)
def test_checkers_of_accessibility_find_nothing(new_screen: NewScreen, world: FakeWorld) -> None:
    screen = new_screen(reduced_motion="reduce")
    screen.page.add_init_script(path=str(AXE))
    page = come_in(screen.page, world)
    world.threaten(1, "bite", 60_000_000)
    world.say("Char.Queue", {"commands": ["go north"], "max": 16})
    world.show("\x1b[1;31mred\x1b[0m \x1b[36mcyan\x1b[0m \x1b[2mdim\x1b[0m \x1b[32mgreen\x1b[0m\r\n")
    page.wait_for_selector(".threat .left:not(:empty)")
    page.locator(".one.creature").first.click()
    found = faults(screen, "fight")
    page.get_by_role("button", name="Help").click()
    found += faults(screen, "help")
    assert not found, "\n".join(found)
