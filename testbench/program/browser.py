"""A browser without a window, in which tests open the pages that the program writes."""
import json
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


class Browser:
    """Chromium. `open()` waits until a page's script says that it is ready."""

    def __init__(self):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1400,1100", "--force-prefers-reduced-motion"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)

    def open(self, path, fragment=""):
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(f"file://{path}{fragment}")
        for _ in range(600):
            if self.run("return document.body.dataset.ready") == "yes":
                return
            time.sleep(0.05)
        raise AssertionError(f"{path} was not ready in 30 s: {self.driver.get_log('browser')}")

    def run(self, script, *arguments):
        """What a script returns; `page` is the page's own object."""
        return self.driver.execute_script("const page = window.safnet;" + script, *arguments)

    def complaints(self):
        """What the console has, since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since the page was opened, but for the page itself and data: addresses."""
        addresses = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return [address for address in addresses if not address.startswith(("data:", "file:", "about:", "blob:"))]

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def press(self, key):
        """A key, as if nothing had the focus."""
        self.run("document.activeElement.blur(); document.body.dispatchEvent("
                 "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}))", key)

    def click(self, selector, x, y):
        """A click on the upper canvas of a view, at a place in it."""
        self.run("""
            const canvas = document.querySelector(arguments[0] + ' canvas:last-child');
            canvas.scrollIntoView();
            const box = canvas.getBoundingClientRect();
            canvas.setPointerCapture = () => {};
            const at = {clientX: box.left + arguments[1], clientY: box.top + arguments[2], bubbles: true, pointerId: 1};
            canvas.dispatchEvent(new PointerEvent('pointerdown', at));
            canvas.dispatchEvent(new PointerEvent('pointerup', at));""", selector, x, y)

    def picture(self, path):
        self.driver.save_screenshot(str(path))

    def close(self):
        self.driver.quit()
