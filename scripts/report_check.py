#!/usr/bin/env python3
"""Opens a report in a real browser and uses it as a reader would; says what is wrong and exits 1.

    cargo test --test report -- --ignored            # writes sample pages
    scripts/report_check.py --install target/tmp/report/*.html

Screenshots go to target/report-check/. With --install, Playwright is put below
target/python-packages and a headless Chromium below target/browsers, or, where that host cannot be
reached, the Chromium of the system is used, installed by apt if need be (which takes root).
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "target" / "python-packages"
BROWSERS = ROOT / "target" / "browsers"
SCREENS = {"desktop": (1280, 800), "phone": (360, 740)}

sys.path.insert(0, str(PACKAGES))
os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(BROWSERS)


def install():
    """Puts up Playwright, and a browser for it."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--root-user-action=ignore", "--upgrade", "--target", str(PACKAGES),
           "--requirement", str(ROOT / "scripts" / "browser-requirements.txt")]
    if not (PACKAGES / "playwright").is_dir():
        subprocess.run(pip, check=True)
    if system_browser() or any(BROWSERS.glob("chromium*/*/*")):
        return
    fetch = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    if subprocess.run(fetch, env=environment, check=False).returncode == 0:
        return
    apt = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends",
           "chromium", "fonts-liberation"]
    subprocess.run(["apt-get", "update", "--quiet=2"], check=True)
    subprocess.run(apt, check=True)


def system_browser():
    """The path of a Chromium that is installed already, if there is one."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Check:
    """One report on one screen in one colour scheme."""

    def __init__(self, browser, path, screen, scheme):
        width, height = SCREENS[screen]
        self.name = f"{path.stem}-{screen}-{scheme}"
        self.address = path.resolve().as_uri()
        self.wrong = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            has_touch=screen == "phone", offline=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", self.note_console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"page error: {error}"))
        self.page.on("request", self.note_request)

    def note_console(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"console: {message.text}")

    def note_request(self, request):
        if request.url.split("#")[0] != self.address:
            self.wrong.append(f"asks for {request.url}")

    def expect(self, holds, text):
        if not holds:
            self.wrong.append(text)

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()

    def wait(self, condition):
        """Waits until something is true. (The page forbids what Playwright's own wait does.)"""
        for _ in range(100):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        self.wrong.append(f"never true: {condition}")

    def shoot(self, folder, part, selector=None):
        path = str(folder / f"{self.name}-{part}.png")
        if selector:
            self.page.locator(selector).screenshot(path=path)
        else:
            self.page.screenshot(path=path, full_page=True)

    def fits(self, where):
        wide, room = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        self.expect(wide <= room, f"{where}: the page is {wide} wide in a window of {room}")

    def go(self, part=""):
        self.page.goto("about:blank")
        self.page.goto(self.address + part)
        self.page.wait_for_selector("#game-count")

    def run(self, folder):
        self.go()
        self.fits("at first")
        self.shoot(folder, "page")
        games = self.page.evaluate("page.games.map(({ number, game, moves, fens }) => "
                                   "({ number, game, plies: moves.length, shown: fens.length }))")
        if games:
            self.list_works(len(games))
            for kind in sorted({game["game"] for game in games}):
                self.viewer_works(folder, next(game for game in games if game["game"] == kind))
            self.links_work(next(game for game in games if game["plies"] > 3))
            self.keys_work(next(game for game in games if game["plies"] > 3))
            self.damaged_are_shown(folder, games)
            self.charts_answer()
            self.diagrams_are_shown()
        self.context.close()
        return self.wrong

    def list_works(self, count):
        rows = self.page.locator("#games-body tbody tr")
        self.expect(self.text("#game-count").startswith(f"{count:,} of {count:,}"), "the count is wrong")
        first = rows.nth(0).inner_text()
        sort = self.page.locator("#sort-order button")
        sort.click()
        self.expect(count < 2 or rows.nth(0).inner_text() != first, "sorting changes nothing")
        self.expect(self.page.get_attribute("#sort-order", "aria-sort") == "descending", "not descending")
        for heading in self.page.locator("#games-body thead button").all():
            heading.click()
        sort.click()
        for key in ("player", "ending", "kind"):
            select = self.page.locator(f"#filter-{key}")
            options = select.locator("option").count()
            select.select_option(index=options - 1)
            shown = int(self.text("#game-count").split()[0].replace(",", ""))
            self.expect(0 < shown <= count, f"filter {key} shows {shown}")
            select.select_option(index=0)
        taken = self.page.evaluate("() => { const start = performance.now(); sortBy('time');"
                                   " list.box.offsetHeight; return performance.now() - start; }")
        self.expect(taken < 300, f"sorting takes {taken:.0f} ms")
        sort.click()
        self.page.select_option("#filter-player", index=1)
        self.page.select_option("#filter-result", "won")
        won = int(self.text("#game-count").split()[0].replace(",", ""))
        name = self.page.evaluate("names[0]")
        wins = self.page.evaluate("page.games.filter((game) => resultFor(game, 0) === 'won'"
                                  " && game.players.includes(0)).length")
        self.expect(won == wins, f"{won} games won by {name!r} are listed of {wins}")
        self.page.select_option("#filter-player", index=0)
        # All rows come as one scrolls.
        for _ in range(40):
            if rows.count() >= count:
                break
            self.page.evaluate("list.box.scrollTop = list.box.scrollHeight")
            self.page.wait_for_timeout(40)
        self.expect(rows.count() == count, f"{rows.count()} rows of {count}")

    def viewer_works(self, folder, game):
        """To the end by steps, and back; then a look half way."""
        self.page.evaluate(f"location.hash = '#game={game['number']}&ply=0'")
        self.wait(f"viewer.game && viewer.game.number === {game['number']} && viewer.ply === 0")
        plies = game["plies"]
        for ply in range(1, plies + 1):
            before = self.page.evaluate("viewer.board ? viewer.board.svg.innerHTML : null")
            self.page.click("#next")
            after = self.page.evaluate("viewer.board ? viewer.board.svg.innerHTML : null")
            self.expect(self.text("#counter") == f"{ply} / {plies}", f"{game}: the counter at {ply}")
            self.expect(before is None or ply > game["shown"] or before != after,
                        f"{game}: nothing moves at {ply}")
        self.expect(not plies or self.page.is_disabled("#next"), f"{game}: goes on behind the end")
        if game["shown"] == plies:
            marked = self.page.locator(".board .last").count()
            self.expect(marked >= 1, f"{game}: the last move is not marked")
        for _ in range(plies):
            self.page.click("#previous")
        self.expect(self.text("#counter") == f"0 / {plies}", f"{game}: not back at the start")
        self.expect(self.page.locator(".board .last").count() == 0, f"{game}: a mark before the first move")
        if plies:
            self.page.click("#last")
            self.page.locator(".move").nth(plies * 2 // 3).click()
        self.fits(f"viewer of {game['game']}")
        self.shoot(folder, f"viewer-{game['game']}", "#viewer")

    def links_work(self, game):
        self.go(f"#game={game['number']}&ply=3")
        self.expect(self.text("#counter") == f"3 / {game['plies']}", "a link to a ply is not followed")
        top = self.page.evaluate("byId('viewer').getBoundingClientRect().top")
        self.expect(abs(top) < 400, f"a link leaves the viewer at {top}")
        self.page.click("#next")
        self.wait(f"location.hash === '#game={game['number']}&ply=4'")
        self.page.click("#copy")
        self.wait("byId('copy').textContent === 'Copied'")

    def keys_work(self, game):
        self.go(f"#game={game['number']}&ply=2")
        self.page.keyboard.press("ArrowRight")
        self.expect(self.text("#counter").startswith("3 "), "the right arrow does not step")
        self.page.keyboard.press("ArrowLeft")
        self.page.keyboard.press("ArrowLeft")
        self.expect(self.text("#counter").startswith("1 "), "the left arrow does not step")
        self.page.click("#play")
        self.wait("viewer.ply >= 2")
        self.page.click("#play")
        stopped = self.text("#counter")
        self.page.wait_for_timeout(900)
        self.expect(self.text("#counter") == stopped, "play does not pause")

    def damaged_are_shown(self, folder, games):
        for game in games:
            if game["shown"] < game["plies"]:
                self.go(f"#game={game['number']}&ply=2")
                self.expect(self.page.locator("#viewer .notice").count() > 0, "no word on a damaged game")
                self.expect(self.page.locator(".move").count() == game["plies"], "moves are missing")
                self.shoot(folder, f"damaged-{game['game']}", "#viewer")

    def diagrams_are_shown(self):
        """A game without a picture shows its diagrams."""
        shown = self.page.evaluate("""() => {
            const game = page.games.find(({ moves, fens }) => fens.length === moves.length && fens.length > 3);
            const blank = game.changes.map(() => "");
            const diagrams = ["", ...blank].map((_, ply) => `board ${ply}`);
            openGame({ ...game, game: "unpictured", shown: "", changes: blank, diagrams }, 2);
            return document.querySelector("#viewer .diagram").textContent;
        }""")
        self.expect(shown == "board 2", f"instead of a diagram there is {shown!r}")

    def charts_answer(self):
        """The mouse and the keys move the cross-hair; a click on the scores goes to that ply."""
        chart = self.page.locator("#curves svg[role=img]").first
        chart.scroll_into_view_if_needed()
        chart.hover()
        readout = self.page.locator("#curves .readout").first
        self.expect(readout.inner_text() != "", "a chart does not answer the mouse")
        self.page.mouse.move(1, 1)
        chart.focus()
        self.page.keyboard.press("ArrowRight")
        self.expect(readout.inner_text() != "", "a chart does not answer the keys")
        key = self.page.locator("#curves .key").first
        key.click()
        self.expect(key.get_attribute("aria-pressed") == "false", "a series cannot be hidden")
        key.click()
        game = self.page.evaluate("page.games.find((game) => game.scores && game.moves.length > 8)?.number")
        if game is not None:
            self.go(f"#game={game}&ply=1")
            graph = self.page.locator("#viewer svg.pickable")
            graph.click(position={"x": graph.bounding_box()["width"] * 0.7, "y": 60})
            self.expect(self.page.evaluate("viewer.ply") > 1, "a click on the scores does nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("reports", nargs="+", type=Path)
    parser.add_argument("--install", action="store_true", help="fetch what is missing")
    parser.add_argument("--screens", type=Path, default=ROOT / "target" / "report-check")
    parser.add_argument("--browser", default=system_browser(), help="a Chromium to use")
    parser.add_argument("--quick", action="store_true", help="the desktop in light and the phone in dark")
    options = parser.parse_args()
    if options.install:
        install()
    from playwright.sync_api import sync_playwright

    options.screens.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with sync_playwright() as playwright:
        path = options.browser or system_browser()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for report in options.reports:
            for screen in SCREENS:
                for scheme in ("light", "dark"):
                    if options.quick and (screen == "phone") != (scheme == "dark"):
                        continue
                    check = Check(browser, report, screen, scheme)
                    found = check.run(options.screens)
                    wrong += len(found)
                    print(f"{check.name}: {'good' if not found else ''}", flush=True)
                    for text in found[:20]:
                        print(f"    {text}")
        browser.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
