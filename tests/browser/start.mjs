// A browser at the local page, without a mouse's help, that notes everything that goes wrong.
//
// DCB_PLAYWRIGHT names a node_modules folder with playwright-core and axe-core, DCB_CHROMIUM a
// Chromium. The first argument is the link that `dcb web` printed.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(`${process.env.DCB_PLAYWRIGHT}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

// A machine with much to do is slow; that is no fault of a page.
const PATIENCE = 120_000;

/** A browser, and a list to put faults on, which is printed at the end. */
export async function withBrowser(visit) {
  const browser = await chromium.launch({ executablePath: process.env.DCB_CHROMIUM, args: FLAGS });
  const faults = [];
  try {
    await visit(browser, faults);
  } catch (error) {
    faults.push(String(error), ...(await said(browser)));
  } finally {
    await browser.close();
  }
  console.log(JSON.stringify(faults));
}

/** Open the link; `visit` is given the page, the base address and a list to put faults on. */
export async function withPage(link, visit) {
  const base = link.split("/#")[0];
  await withBrowser(async (browser, faults) => {
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce", // half-way from light to dark no colour has its contrast
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      // The first page of all is the one that asks for the code: 401. A search that is typed on
      // gives up the one before, which htmx calls an error; one that fails has another name.
      const expected = /status of 401|^htmx:(sendAbort|afterRequest)/.test(message.text())
        || message.location().url === `${base}/nowhere`;
      if (message.type() === "error" && !expected) faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !url.startsWith("data:")) faults.push(`asked for ${url}`);
    });
    await page.goto(link);
    await page.waitForURL((url) => !url.hash && url.pathname !== "/enter");
    await page.waitForSelector("body:has(header), [name=passphrase]");
    await visit(page, base, faults);
  });
}

/** Where the pages of a browser are and what they say: why something never came. */
async function said(browser) {
  const pages = browser.contexts().flatMap((context) => context.pages());
  return Promise.all(pages.map(async (page) => {
    const words = await page.innerText("body", { timeout: 2000 }).catch(() => "");
    return `${page.url()}: ${words.slice(0, 600)}`;
  }));
}

/** What a screen reader or a keyboard would stumble over on the page as it is now. */
export async function stumbles(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  return found.violations.map((fault) => {
    const where = fault.nodes.map((node) => node.target.join(" ")).join(", ");
    return `${page.url()}: ${fault.impact}: ${fault.id}: ${where}`;
  });
}

export async function speak(page, base, lang) {
  await page.context().addCookies([{ name: "dcb_lang", value: lang, url: base }]);
}
