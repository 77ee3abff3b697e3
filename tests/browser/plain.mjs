// The whole path without JavaScript: every form works, or the page says what is needed.
//
// Arguments: the link, whose code is typed by hand; a transcript to paste.

import { readFileSync } from "node:fs";

import { withBrowser } from "./start.mjs";

const [link, transcript] = process.argv.slice(2);
const [base, code] = link.split("/#");

await withBrowser(async (browser, faults) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const press = async (selector) => {
    await page.locator(selector).first().click();
    await page.waitForLoadState();
  };
  await page.goto(`${base}/`);
  await page.fill("#code", code);
  await press("#enter button");

  await page.goto(`${base}/bring-in`);
  if (!(await page.locator("#drop noscript, #drop").first().innerText()).includes("JavaScript")) {
    faults.push("the field for files does not say that it needs JavaScript");
  }
  await page.fill("#text", readFileSync(transcript, "utf8"));
  await press("form[action='/bring-in/text'] button");
  while (!(await page.locator("button[form=review]").count())) {
    await press("#found noscript a, #found a"); // how far is it?
  }
  await press("button[form=review]");
  await page.waitForURL(/\/review\?draft=/);
  await press("[name=drop]");
  if (!(await page.locator("[name=keep]").count())) faults.push("nothing was dropped");
  await page.fill("[name=limit]", "300");
  await press("form:has([name=limit]) button:visible");
  await page.goto(page.url().replace(/#.*/, ""));
  await press("form[action='/review/save'] .primary");
  await page.waitForURL(/\/snapshot\?id=/);

  await page.goto(`${base}/`);
  await page.fill("#q", "seconds");
  await press("form[role=search] button");
  await press("#results h2 a");
  await page.waitForURL(/\/snapshot\?id=/);
  await press("form[action='/snapshot/brief'] .primary");
  if (!(await page.locator("#brief-text").count())) faults.push("no brief was made");
  await page.goto(`${base}/settings`);
  await page.fill("#to-hook_seconds", "7");
  await press("#set-hook_seconds button");
  if (!page.url().includes("changed=hook_seconds")) faults.push("the setting was not changed");
});
