"""Shows a page in Chromium: on a phone, a tablet, a desk, in light and in dark, and on paper.

usage: check.py PAGE FOLDER
Writes the pictures into the folder. Fails if one is empty, if something is wider than the screen,
if dark is not darker than light, or if anything is in the browser's console.
"""

import base64
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))

from browser import Browser
from facts import expect

WIDTHS = (390, 820, 1280)
SCHEMES = ("light", "dark")
# A blank picture is smaller. The longest page fits into the greatest texture.
LEAST_BYTES, MOST_PIXELS = 10_000, 16_000


def write(folder, name, content):
    """Writes a file; returns its name with its size."""
    content = base64.b64decode(content)
    if len(content) < LEAST_BYTES:
        raise AssertionError(f"{name} has only {len(content)} bytes")
    (folder / name).write_bytes(content)
    return f"{name} ({len(content) // 1000} KB)"


def open_details(browser, are_open):
    """Shows or hides what a reader can unfold."""
    browser.value("document.querySelectorAll('details')"
                  f".forEach(element => element.open = {str(are_open).lower()})")


def show(browser, width, scheme):
    """Shows the page on a screen; returns its picture and the brightness of its background."""
    browser.call("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=False)
    root = "document.documentElement"
    for are_open in (True, False):
        open_details(browser, are_open)
        expect(f"the width of the page on {width} pixels, {scheme}",
               browser.value(f"{root}.scrollWidth"), width)
    height = min(browser.value(f"{root}.scrollHeight"), MOST_PIXELS)
    picture = browser.call(
        "Page.captureScreenshot", captureBeyondViewport=True,
        clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
    background = browser.value("getComputedStyle(document.body).backgroundColor")
    return picture["data"], sum(map(int, re.findall(r"\d+", background)[:3]))


def main(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile, "--hide-scrollbars")
        try:
            browser.open(page.resolve().as_uri(), "Log", "Runtime")
            for width in WIDTHS:
                light, dark = (show(browser, width, scheme) for scheme in SCHEMES)
                for scheme, (picture, _) in zip(SCHEMES, (light, dark)):
                    written.append(write(folder, f"{width}-{scheme}.png", picture))
                expect(f"dark is darker on {width} pixels", dark[1] < light[1], True)
            paper = browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
            written.append(write(folder, "paper.pdf", paper["data"]))
            said = [event["params"] for event in browser.events if event["method"] in (
                "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")]
            expect("the console", said, [])
        finally:
            browser.close()
    print("\n".join(written))


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
