// block - the data that a page carries, compressed and in base64, and a few things that all pages need.

async function bytesOf(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function blockIn(elementId) {
  return bytesOf(document.getElementById(elementId).textContent.trim());
}

async function jsonIn(elementId) {
  return JSON.parse(new TextDecoder().decode(await blockIn(elementId)));
}

const byId = (id) => document.getElementById(id);

// An element with words as text, never as markup.
function element(tag, words = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = words;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// A colour of the page's style sheet, for canvases.
function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Light, dark, or as the system says; forgotten when the page is closed.
function listenToTheme(changed) {
  const order = { "": "dark", dark: "light", light: "" };
  const say = () => (byId("theme").textContent = `theme: ${document.documentElement.dataset.theme || "auto"}`);
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = order[document.documentElement.dataset.theme ?? ""];
    say();
    changed();
  });
  say();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

// Shows what `make()` makes of a page's data, or says why not.
async function openPage(make) {
  const begin = performance.now();
  try {
    const page = await make();
    window.safnet = page;
    requestAnimationFrame(() => {
      page.openMilliseconds = performance.now() - begin;
      document.body.dataset.ready = "yes";
    });
  } catch (error) {
    byId("headline").textContent = `This page could not be shown: ${error.message}. It needs a browser of 2023 or later.`;
    console.error(error);
  }
}
