#!/usr/bin/env python3
"""Tests reports in a real browser by using them as a reader would. Prints problems and exits 1.

    cargo test --test library report:: -- --ignored   # writes sample pages
    scripts/report_check.py --install target/tmp/report/*.html

Screenshots go to target/report-check/. --install installs Playwright into target/python-packages and,
where it is missing, Chromium with apt, which requires root.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "target" / "python-packages"
SCREENS = {"desktop": (1280, 800), "phone": (360, 740)}

sys.path.insert(0, str(PACKAGES))


def install():
    """Installs Playwright and, if necessary, a browser."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--root-user-action=ignore", "--upgrade", "--target", str(PACKAGES), "playwright==1.65.2"]
    if not (PACKAGES / "playwright").is_dir():
        subprocess.run(pip, check=True)
    if not system_browser():
        packages = ["--no-install-recommends", "chromium", "fonts-liberation"]
        subprocess.run(["apt-get", "update", "--quiet=2"], check=True)
        subprocess.run(["apt-get", "install", "--yes", "--quiet=2", *packages], check=True)


def system_browser():
    """Returns the path of an installed Chromium, if any."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Check:
    """A check of one report on one screen size in one colour scheme."""

    def __init__(self, browser, path, screen, scheme):
        width, height = SCREENS[screen]
        self.name = f"{path.stem}-{screen}-{scheme}"
        self.address = path.resolve().as_uri()
        self.problems = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            has_touch=screen == "phone", offline=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", self.note_console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("request", self.note_request)

    def note_console(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def note_request(self, request):
        if request.url.split("#")[0] != self.address:
            self.problems.append(f"requests {request.url}")

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()

    def wait(self, condition):
        """Waits until a condition holds. (The page's CSP forbids Playwright's wait_for_function.)"""
        for _ in range(100):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        self.problems.append(f"timeout: {condition}")

    def screenshot(self, folder, part, selector=None):
        path = str(folder / f"{self.name}-{part}.png")
        if selector:
            self.page.locator(selector).screenshot(path=path)
        else:
            self.page.screenshot(path=path, full_page=True)

    def expect_no_overflow(self, where):
        content, window = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        self.expect(content <= window, f"{where}: content width {content} exceeds window width {window}")

    def open(self, fragment=""):
        self.page.goto("about:blank")
        self.page.goto(self.address + fragment)
        self.page.wait_for_selector("#game-count")

    def run(self, folder):
        self.open()
        self.expect_no_overflow("on load")
        self.screenshot(folder, "page")
        games = self.page.evaluate("page.games.map(({ number, game, moves, fens }) => "
                                   "({ number, game, plies: moves.length, shown: fens.length }))")
        if games:
            self.check_list(len(games))
            for kind in sorted({game["game"] for game in games}):
                self.check_viewer(folder, next(game for game in games if game["game"] == kind))
            self.check_links(next(game for game in games if game["plies"] > 3))
            self.check_keys(next(game for game in games if game["plies"] > 3))
            self.check_damaged_games(folder, games)
            self.check_charts()
            self.check_diagrams()
        self.context.close()
        return self.problems

    def check_list(self, count):
        rows = self.page.locator("#games-body tbody tr")
        self.expect(self.text("#game-count").startswith(f"{count:,} of {count:,}"), "the count is wrong")
        first = rows.nth(0).inner_text()
        sort = self.page.locator("#sort-order button")
        sort.click()
        self.expect(count < 2 or rows.nth(0).inner_text() != first, "sorting has no effect")
        self.expect(self.page.get_attribute("#sort-order", "aria-sort") == "descending", "the sort order is not descending")
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
        # Scrolling loads all rows.
        for _ in range(40):
            if rows.count() >= count:
                break
            self.page.evaluate("list.box.scrollTop = list.box.scrollHeight")
            self.page.wait_for_timeout(40)
        self.expect(rows.count() == count, f"{rows.count()} rows of {count}")

    def check_viewer(self, folder, game):
        """Steps to the end and back, then jumps to a move."""
        self.page.evaluate(f"location.hash = '#game={game['number']}&ply=0'")
        self.wait(f"viewer.game && viewer.game.number === {game['number']} && viewer.ply === 0")
        plies = game["plies"]
        for ply in range(1, plies + 1):
            before = self.page.evaluate("viewer.board ? viewer.board.svg.innerHTML : null")
            self.page.click("#next")
            after = self.page.evaluate("viewer.board ? viewer.board.svg.innerHTML : null")
            self.expect(self.text("#counter") == f"{ply} / {plies}", f"{game}: wrong counter at {ply}")
            self.expect(before is None or ply > game["shown"] or before != after,
                        f"{game}: the board does not change at {ply}")
        self.expect(not plies or self.page.is_disabled("#next"), f"{game}: next is enabled at the end")
        if game["shown"] == plies:
            marked = self.page.locator(".board .last").count()
            self.expect(marked >= 1, f"{game}: the last move is not marked")
        for _ in range(plies):
            self.page.click("#previous")
        self.expect(self.text("#counter") == f"0 / {plies}", f"{game}: not back at the start")
        self.expect(self.page.locator(".board .last").count() == 0, f"{game}: a marked move before the first move")
        if plies:
            self.page.click("#last")
            self.page.locator(".move").nth(plies * 2 // 3).click()
        # The score of a move keeps its distance from the next move.
        distance = self.page.evaluate("""() => Math.min(...[...document.querySelectorAll(".moves li")]
            .map((row) => [...row.querySelectorAll(".move")]).filter((moves) => moves.length === 2)
            .map(([first, second]) => second.firstElementChild.getBoundingClientRect().left
                - first.lastElementChild.getBoundingClientRect().right))""")
        self.expect(distance is None or distance >= 12, f"{game}: moves are {distance} px apart")
        self.expect_no_overflow(f"viewer of {game['game']}")
        self.screenshot(folder, f"viewer-{game['game']}", "#viewer")

    def check_links(self, game):
        self.open(f"#game={game['number']}&ply=3")
        self.expect(self.text("#counter") == f"3 / {game['plies']}", "a link to a ply does not work")
        top = self.page.evaluate("byId('viewer').getBoundingClientRect().top")
        self.expect(abs(top) < 400, f"a link scrolls the viewer to {top}")
        self.page.click("#next")
        self.wait(f"location.hash === '#game={game['number']}&ply=4'")
        self.page.click("#copy")
        self.wait("byId('copy').textContent === 'Copied'")

    def check_keys(self, game):
        self.open(f"#game={game['number']}&ply=2")
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

    def check_damaged_games(self, folder, games):
        for game in games:
            if game["shown"] < game["plies"]:
                self.open(f"#game={game['number']}&ply=2")
                self.expect(self.page.locator("#viewer .notice").count() > 0, "no notice about a damaged game")
                self.expect(self.page.locator(".move").count() == game["plies"], "moves are missing")
                self.screenshot(folder, f"damaged-{game['game']}", "#viewer")

    def check_diagrams(self):
        """Games without a board layout show text diagrams."""
        shown = self.page.evaluate("""() => {
            const game = page.games.find(({ moves, fens }) => fens.length === moves.length && fens.length > 3);
            const blank = game.changes.map(() => "");
            const diagrams = ["", ...blank].map((_, ply) => `board ${ply}`);
            openGame({ ...game, game: "no-layout", shown: "", changes: blank, diagrams }, 2);
            return document.querySelector("#viewer .diagram").textContent;
        }""")
        self.expect(shown == "board 2", f"wrong diagram: {shown!r}")

    def check_charts(self):
        """Mouse and keys move the crosshair; a click on the score chart opens that ply."""
        chart = self.page.locator("#curves svg[role=img]").first
        chart.scroll_into_view_if_needed()
        chart.hover()
        readout = self.page.locator("#curves .readout").first
        self.expect(readout.inner_text() != "", "a chart ignores the mouse")
        self.page.mouse.move(1, 1)
        chart.focus()
        self.page.keyboard.press("ArrowRight")
        self.expect(readout.inner_text() != "", "a chart ignores the keys")
        key = self.page.locator("#curves .key").first
        key.click()
        self.expect(key.get_attribute("aria-pressed") == "false", "a series cannot be hidden")
        key.click()
        game = self.page.evaluate("page.games.find((game) => game.scores && game.moves.length > 8)?.number")
        if game is not None:
            self.open(f"#game={game}&ply=1")
            graph = self.page.locator("#viewer svg.pickable").last
            graph.click(position={"x": graph.bounding_box()["width"] * 0.7, "y": 60})
            self.expect(self.page.evaluate("viewer.ply") > 1, "a click on the score chart has no effect")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("reports", nargs="+", type=Path)
    parser.add_argument("--install", action="store_true", help="install Playwright and a browser if missing")
    parser.add_argument("--screens", type=Path, default=ROOT / "target" / "report-check")
    parser.add_argument("--browser", default=system_browser(), help="path of a Chromium")
    parser.add_argument("--quick", action="store_true", help="check only desktop/light and phone/dark")
    options = parser.parse_args()
    if options.install:
        install()
    from playwright.sync_api import sync_playwright

    options.screens.mkdir(parents=True, exist_ok=True)
    problems = 0
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
                    problems += len(found)
                    print(f"{check.name}: {'ok' if not found else ''}", flush=True)
                    for text in found[:20]:
                        print(f"    {text}")
        browser.close()
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
