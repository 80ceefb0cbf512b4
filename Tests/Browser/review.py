#!/usr/bin/python3
"""Uses the review's page in a real Chromium, by pointer and keys, as a person would; the Swift tests start it.

usage: review.py SCENARIO ORDERS.json
The orders hold `address`, `pictures` (a folder for screenshots) and what the scenario needs; the answer is JSON on the standard output.
Needs Debian's chromium, chromium-driver and python3-selenium.
"""
import base64
import http.server
import json
import os
import re
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CORNERS = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"]
PATIENCE = 60


class Browser:
    """A Chromium of its own, without any of the user's settings."""

    def __init__(self, orders, width=1280, height=800, dark=False, density=1, touch=False):
        self.orders = orders
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions",
                         "--hide-scrollbars", "--disable-background-networking", "--disable-dev-shm-usage",
                         f"--user-data-dir={self.home.name}/profile"]:
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Service("/usr/bin/chromedriver", log_output=os.devnull)
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": density, "mobile": touch})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        if touch:
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.home.cleanup()

    def open(self, address=None):
        self.driver.get(address or self.orders["address"])
        return self

    def wait(self, what, until):
        try:
            WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(lambda _: until())
        except Exception as error:
            self.picture("failed")
            logs = [entry["message"] for entry in self.driver.get_log("browser")]
            raise AssertionError(f"{what} did not come about: {type(error).__name__}; {logs}") from None

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0]).textContent", selector)

    def is_shown(self, selector):
        return self.script("return !document.querySelector(arguments[0]).hidden", selector)

    def picture(self, name):
        """A screenshot, as a PNG in the folder for them."""
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        with open(os.path.join(self.orders["pictures"], name + ".png"), "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def faults(self):
        """What the browser complained of."""
        # A picture or shape that is asked for while its page is made anew is refused, and asked for again: no fault.
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and not (entry["source"] == "network" and "409" in entry["message"])]

    # The page

    def wait_for_photo(self):
        self.wait("the photo", lambda: not self.is_shown("#busy") and self.script(
            "return document.querySelectorAll('.handle:not([hidden])').length") == 8)

    def wait_for_flat(self):
        self.wait("the flat page", lambda: self.is_shown("#true") and self.script(
            "return document.querySelector('#true').naturalWidth") > 0)

    def wait_until_saved(self):
        self.wait("saving", lambda: self.text("#save-state") in ("All changes saved", "Stored when you press Done"))

    def handles(self):
        """Each handle's name, its place in the photo as it is read out, and on the screen."""
        found = self.script("""return [...document.querySelectorAll('.handle')].map(handle => {
            const box = handle.getBoundingClientRect();
            return [handle.ariaLabel, box.x + box.width / 2, box.y + box.height / 2] })""")
        places = {}
        for label, x, y in found:
            name, px, py = re.fullmatch(r"(.*), at (-?\d+), (-?\d+)", label).groups()
            places[name] = ((int(px), int(py)), (x, y))
        return places

    def scale(self):
        """Screen pixels for each of the photo's."""
        (one, here), (other, there) = [self.handles()[name] for name in (CORNERS[0], CORNERS[2])]
        return (there[0] - here[0]) / (other[0] - one[0])

    def drag(self, name, target, pauses=6, midway=None):
        """Drags a handle to a place of the photo, in steps, as a hand does."""
        place, (x, y) = self.handles()[name]
        scale = self.scale()
        goal = (x + (target[0] - place[0]) * scale, y + (target[1] - place[1]) * scale)
        chain = ActionChains(self.driver, duration=20)
        mouse = chain.w3c_actions.pointer_action
        mouse.move_to_location(round(x), round(y))
        mouse.pointer_down()
        for step in range(1, pauses + 1):
            share = step / pauses
            mouse.move_to_location(round(x + (goal[0] - x) * share), round(y + (goal[1] - y) * share))
        chain.perform()
        if midway:
            midway()
        chain = ActionChains(self.driver, duration=20)
        chain.w3c_actions.pointer_action.pointer_up()
        chain.perform()

    def wait_for_frames(self):
        """Until what was done is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def press(self, key, times=1, shift=False):
        chain = ActionChains(self.driver)
        if shift:
            chain.key_down(Keys.SHIFT)
        for _ in range(times):
            chain.send_keys(key)
        if shift:
            chain.key_up(Keys.SHIFT)
        chain.perform()

    def click(self, selector):
        self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'nearest'})", self.find(selector))
        self.find(selector).click()

    def live_hash(self):
        return self.script("""const canvas = document.querySelector('#live');
            return canvas.hidden ? null : canvas.toDataURL()""")


def drag(orders):
    """Drags all corners to their true places, and looks whether the flat page moves with them."""
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        browser.wait_for_flat()
        browser.picture("drag-1-before")
        seen = []

        def midway():
            browser.wait("the live page", lambda: browser.live_hash() is not None)
            seen.append(browser.live_hash())
            if len(seen) == 1:
                browser.wait("the loupe", lambda: browser.is_shown("#loupe"))
                browser.picture("drag-2-moving")

        for name, corner in zip(CORNERS, orders["corners"]):
            browser.drag(name, corner, midway=midway)
        browser.wait_until_saved()
        browser.wait_for_flat()
        browser.picture("drag-3-after")
        answer = {"differing": len(set(seen)), "facts": browser.text("#page-facts"), "faults": browser.faults(),
                  "handles": {name: browser.handles()[name][0] for name in CORNERS}}
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        answer["end"] = browser.text("#end-heading")
        return answer


def keys(orders):
    """Moves all corners to their true places by the keys alone, from the start of the page on."""
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        for name, goal in zip(CORNERS, orders["corners"]):
            # By Tab alone, as somebody without a pointer.
            for _ in range(60):
                if name in (browser.script("return document.activeElement.ariaLabel") or ""):
                    break
                browser.press(Keys.TAB)
            else:
                raise AssertionError(f"{name} is not reached by Tab")
            for axis, (back, on) in enumerate([(Keys.ARROW_LEFT, Keys.ARROW_RIGHT), (Keys.ARROW_UP, Keys.ARROW_DOWN)]):
                for shift, unit in [(True, 10), (False, 1)]:
                    step = unit * max(1, 1 / browser.scale())
                    away = goal[axis] - browser.handles()[name][0][axis]
                    count = int(abs(away) / step + (0 if shift else 0.5))
                    browser.press(on if away > 0 else back, count, shift)
                    browser.wait_for_frames()
            browser.picture("keys-" + name.replace(" ", "-").lower())
        browser.wait("a change", lambda: browser.text("#save-state") != "Loading …")
        time.sleep(0.7)
        browser.wait_until_saved()
        browser.wait_for_flat()
        answer = {"faults": browser.faults(), "handles": {name: browser.handles()[name][0] for name in CORNERS}}
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def pages(orders):
    """Every control once, on a scan of two pages, with undo and redo."""
    def state():
        return browser.script("""return {
            pages: [...document.querySelectorAll('#pages li')].map(li => li.innerText.replace(/\\s+/g, ' ').trim()),
            mode: document.querySelector('input[name=mode]:checked').value,
            title: document.querySelector('#title').value, facts: document.querySelector('#page-facts').textContent }""")

    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        answer = {"start": state()}

        def act(name, selector):
            browser.click(selector)
            browser.wait_until_saved()
            answer[name] = state()

        title = browser.find("#title")
        title.send_keys(Keys.CONTROL + "a")
        title.send_keys("Two pages" + Keys.ENTER)
        browser.wait_until_saved()
        act("turned", "#turn-right")
        act("grey", "input[value=bw] + span")
        act("allGrey", "#mode-all")
        act("letter", "#paper option[value=letter]")
        act("whole", "#whole")
        act("later", "#later")
        act("undone", "#undo")
        act("redone", "#redo")
        act("removed", "#remove")
        browser.picture("pages-removed")
        act("putBack", "#undo")
        browser.wait_for_photo()
        answer["faults"] = browser.faults()
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def entry(orders):
    """What a tab without, or with a used or expired token shows."""
    with Browser(orders).open() as browser:
        browser.wait("the end", lambda: browser.is_shown("#end"))
        browser.picture("entry-refused")
        return {"heading": browser.text("#end-heading"), "text": browser.text("#end-text"),
                "address": browser.driver.current_url,
                "stored": browser.script("return Object.keys(sessionStorage).length")}


def twice(orders):
    """The same address in a second browser, while the first goes on, also after it was loaded again."""
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        with Browser(orders).open() as second:
            second.wait("the end", lambda: second.is_shown("#end"))
            refused = second.text("#end-text")
        browser.driver.refresh()
        browser.wait_for_photo()
        answer = {"refused": refused, "address": browser.driver.current_url}
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def shown_until(orders):
    """Waits, with the page open, until it says that it is over; `signal` is made when the photo is there."""
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        open(orders["signal"], "w").close()
        browser.wait("the other side", lambda: os.path.exists(orders["go"]))
        if orders.get("press"):
            browser.click(orders["press"])
        browser.wait("a message", lambda: browser.is_shown("#end") or browser.is_shown("#message"))
        browser.picture(orders["picture"])
        answer = {"heading": browser.text("#end-heading"), "text": browser.text("#end-text"),
                  "message": browser.text("#message-text")}
        if orders.get("insist"):
            browser.click("#message-action")
            browser.wait_until_saved()
            browser.click("#done")
        return answer


HOSTILE = """<!doctype html><meta charset=utf-8><title>hostile</title><script>
const base = "TARGET", found = {};
async function attempt(name, act) { try { found[name] = await act(); } catch (error) { found[name] = "refused"; } }
const read = async (path, options) => { const answer = await fetch(base + path, options); return answer.status + " " + (await answer.text()).slice(0, 40); };
(async () => {
  await attempt("page", () => read("/"));
  await attempt("scans", () => read("/api/scans"));
  await attempt("header", () => read("/api/scans", { headers: { "X-Flatbed-Key": "0" } }));
  await attempt("session", () => read("/session", { method: "POST", body: "0" }));
  await attempt("edit", () => read("/api/edit", { method: "POST", body: "{}" }));
  await attempt("blind", async () => { const answer = await fetch(base + "/api/scans", { mode: "no-cors" }); return answer.type + " " + (await answer.text()).length; });
  await attempt("script", () => new Promise((done) => {
    const script = document.createElement("script"); script.type = "module"; script.src = base + "/main.js";
    script.onload = () => done("loaded"); script.onerror = () => done("refused"); document.head.append(script); }));
  await attempt("image", () => new Promise((done) => {
    const image = new Image(); image.src = base + "/icon.svg";
    image.onload = () => done("loaded"); image.onerror = () => done("refused"); }));
  await attempt("frame", () => new Promise((done) => {
    const frame = document.createElement("iframe"); frame.src = base + "/";
    frame.onload = () => { try { done(frame.contentDocument ? "readable" : "opaque"); } catch { done("opaque"); } };
    document.documentElement.append(frame); }));
  await attempt("opener", async () => { const other = window.open(base + "/"); await new Promise((r) => setTimeout(r, 300)); try { return other && other.document ? "readable" : "none"; } catch { return "opaque"; } });
  window.found = found;
})();
</script>"""


def hostile(orders):
    """A page of another site in the same browser, while the review is open in it."""
    target = orders["address"].split("/#")[0]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(HOSTILE.replace("TARGET", target).encode())

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        review = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.open(f"http://127.0.0.1:{site.server_port}/")
        browser.wait("the attempts", lambda: browser.script("return window.found"))
        answer = browser.script("return window.found")
        browser.driver.switch_to.window(review)
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
    site.shutdown()
    return answer


def screens(orders):
    """Screenshots at the sizes of a phone, a laptop and a large screen, light and dark; and what doesn't fit there."""
    sizes = {"360": (360, 740, 2, True), "1280": (1280, 800, 1, False), "4k": (3840, 2160, 1, False)}
    with Browser(orders).open() as browser:
        browser.wait_for_photo()
        browser.wait_for_flat()
        answer = {}
        for name, (width, height, density, touch) in sizes.items():
            for dark in (False, True):
                browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": density, "mobile": touch})
                browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
                time.sleep(0.5)
                browser.picture(f"screen-{name}-{'dark' if dark else 'light'}")
                answer[name] = browser.script("""
                    const wide = document.documentElement.scrollWidth - innerWidth;
                    const names = [...document.querySelectorAll('button, input, select')].filter(e => e.offsetParent)
                      .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.id);
                    const small = [...document.querySelectorAll('button, select')].filter(e => e.offsetParent)
                      .filter(e => e.getBoundingClientRect().height < 30).map(e => e.id || e.className);
                    const cut = [...document.querySelectorAll('button, header, footer, fieldset, .caption')].filter(e => e.offsetParent)
                      .filter(e => !e.classList.contains('handle') && !e.closest('#pages'))
                      .filter(e => { const b = e.getBoundingClientRect(); return b.right > innerWidth + 1 || b.left < -1; }).map(e => e.id || e.tagName);
                    return { wide, unnamed: names, small, cut }""")
                if touch and not dark:
                    browser.script("document.querySelector('#tools').scrollIntoView()")
                    time.sleep(0.3)
                    browser.picture(f"screen-{name}-tools")
                    browser.script("window.scrollTo(0, 0)")
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def ten(orders):
    """Sets page after page right as a person would: drags the corners that are wrong, presses the button, until none is left."""
    with Browser(orders).open() as browser:
        begin = time.monotonic()
        fixed = 0
        browser.wait_for_photo()
        while True:
            browser.wait_for_photo()
            title = browser.script("return document.querySelector('#title').value")
            corners = orders["truth"][title]
            for name, corner in zip(CORNERS, corners):
                place = browser.handles()[name][0]
                if abs(place[0] - corner[0]) + abs(place[1] - corner[1]) > orders["tolerance"]:
                    # Some hundredths of a second for finding the corner by eye are a person's own.
                    browser.drag(name, corner)
            fixed += 1
            browser.picture(f"ten-{fixed}")
            if fixed == len(orders["truth"]):
                break
            browser.click("#next")
            browser.wait("the next page", lambda: browser.script("return document.querySelector('#title').value") != title)
        browser.wait_until_saved()
        seconds = time.monotonic() - begin
        browser.wait_for_flat()
        browser.picture("ten-end")
        answer = {"seconds": seconds, "progress": browser.text("#progress"), "faults": browser.faults()}
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def guesses(orders):
    """Presses for the detector's other outlines and has it look again, on a page that was kept whole."""
    with Browser(orders).open() as browser:
        browser.wait_for_photo()

        def places():
            return {name: browser.handles()[name][0] for name in CORNERS}

        def act(name, selector):
            browser.click(selector)
            browser.wait("an answer", lambda: browser.is_shown("#message") or places() != answer.get("before"))
            browser.wait_until_saved()
            browser.wait_for_flat()
            answer[name] = places()
            answer[name + "Message"] = browser.text("#message-text")
            answer[name + "State"] = browser.text("#pages li")

        answer = {}
        answer["before"] = places()
        act("guess", "#guess")
        browser.picture("guesses-1")
        act("second", "#guess")
        browser.drag(CORNERS[0], (answer["second"][CORNERS[0]][0] + 30, answer["second"][CORNERS[0]][1] + 20))
        browser.wait_until_saved()
        act("detected", "#detect")
        browser.picture("guesses-2")
        answer["faults"] = browser.faults()
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def touch(orders):
    """Drags corners with a finger on a phone's screen, zooms with two, and drags another beside the outline to move the photo."""
    def fingers(kind, *points):
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

    def stroke(begin, end, midway=None):
        fingers("touchStart", begin)
        for step in range(1, 7):
            fingers("touchMove", tuple(a + (b - a) * step / 6 for a, b in zip(begin, end)))
            browser.wait_for_frames()
        if midway:
            midway()
        fingers("touchEnd")

    with Browser(orders, width=360, height=740, density=2, touch=True).open() as browser:
        browser.wait_for_photo()
        browser.wait_for_flat()
        browser.picture("touch-1-before")
        answer = {"loupes": 0, "scrolled": 0}

        def midway():
            browser.wait("the live page", lambda: browser.live_hash() is not None)
            answer["loupes"] += browser.is_shown("#loupe")
            answer["scrolled"] = max(answer["scrolled"], browser.script("return scrollY"))
            if answer["loupes"] == 1:
                browser.picture("touch-2-moving")

        for name, corner in zip(CORNERS, orders["corners"]):
            place, (x, y) = browser.handles()[name]
            scale = browser.scale()
            stroke((x, y), (x + (corner[0] - place[0]) * scale, y + (corner[1] - place[1]) * scale), midway)
            browser.wait_until_saved()
        answer["handles"] = {name: browser.handles()[name][0] for name in CORNERS}
        browser.wait_for_flat()
        browser.picture("touch-3-after")

        # Two fingers apart: three times as large, around the middle between them, and nothing else is moved.
        before = browser.scale()
        box = browser.script("const b = document.querySelector('#stage').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]")
        x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
        fingers("touchStart", (x - 20, y), (x + 20, y))
        for spread in range(24, 61, 4):
            fingers("touchMove", (x - spread, y), (x + spread, y))
            browser.wait_for_frames()
        fingers("touchEnd")
        browser.wait_for_frames()
        answer["zoomed"] = browser.scale() / before
        time.sleep(0.6)
        browser.picture("touch-4-zoomed")
        answer["pageZoom"] = browser.script("return visualViewport.scale")
        # One finger on the middle of the page moves the photo under it.
        there = browser.handles()[CORNERS[0]][1]
        stroke((x, y), (x + 30, y + 20))
        browser.wait_for_frames()
        here = browser.handles()[CORNERS[0]][1]
        answer["panned"] = [here[0] - there[0], here[1] - there[1]]
        answer["still"] = {name: browser.handles()[name][0] for name in CORNERS} == answer["handles"]
        answer["faults"] = browser.faults()
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def rate(orders):
    """How long frames take while a corner is dragged, in milliseconds, page by page and round by round: the median and the longest."""
    with Browser(orders, width=1920, height=1080).open() as browser:
        browser.wait_for_photo()
        answer = {}
        for turn in range(orders["rounds"]):
            for index, button in enumerate(browser.driver.find_elements(By.CSS_SELECTOR, "#pages button")):
                button.click()
                begin = time.monotonic()
                browser.wait_for_photo()
                opened = time.monotonic() - begin
                browser.wait_for_flat()
                title = browser.script("return document.querySelector('#title').value")
                # Frames are counted in the page itself, so that the driver's own time is none of theirs.
                times = browser.driver.execute_async_script("""
                    const done = arguments[0], handle = document.querySelector('.handle.corner');
                    const box = handle.getBoundingClientRect(), x = box.x + 22, y = box.y + 22;
                    const fire = (type, dx, dy) => handle.dispatchEvent(new PointerEvent(type, {
                      bubbles: true, pointerId: 1, isPrimary: true, clientX: x + dx, clientY: y + dy, button: 0 }));
                    document.querySelector('#stage').setPointerCapture = () => {};
                    fire('pointerdown', 0, 0);
                    const times = []; let frame = 0, last = performance.now();
                    (function next() {
                      const now = performance.now(); times.push(now - last); last = now;
                      if (++frame > 90) { fire('pointerup', 0, 0); times.sort((a, b) => a - b); done(times); return; }
                      // There and back, so that every round begins with the same outline.
                      const way = 45 - Math.abs(45 - frame);
                      fire('pointermove', way, way);
                      requestAnimationFrame(next);
                    })();""")
                browser.wait_until_saved()
                browser.wait_for_flat()
                if turn == 0:
                    browser.picture(f"rate-{index}")
                answer.setdefault(title, []).append({"median": times[45], "most": times[-1], "opened": opened})
        answer["faults"] = browser.faults()
        browser.click("#done")
        browser.wait("the end", lambda: browser.is_shown("#end"))
        return answer


def main():
    scenario, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        orders = json.load(file)
    print(json.dumps(globals()[scenario](orders)))


if __name__ == "__main__":
    main()
