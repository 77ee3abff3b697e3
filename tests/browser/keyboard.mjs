// From the first page to a brief on the clipboard with the keyboard alone.
//
// Arguments: the link; the language; what to search for.

import { speak, withPage } from "./start.mjs";

const [link, lang, words] = process.argv.slice(2);

await withPage(link, async (page, base, faults) => {
  const keys = page.keyboard;
  const focused = (selector) => page.waitForFunction(
    (wanted) => document.activeElement?.matches(wanted), selector, { timeout: 60_000 },
  ).catch(() => { throw new Error(`${selector} never has the focus`); });
  const tabTo = async (selector) => {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await keys.press("Tab");
    }
    throw new Error(`Tab never reaches ${selector}`);
  };

  await speak(page, base, lang);
  await page.goto(`${base}/`);
  await keys.press("Tab");
  await focused(".skip");
  await keys.press("Enter");
  await focused("main");

  await keys.press("/");
  await focused("input[type=search]");
  await keys.type(words);
  await page.waitForSelector("#results mark");
  await page.waitForFunction(() => /\d/.test(document.querySelector("#count[role=status]").textContent));
  await page.waitForURL((url) => url.searchParams.get("q") === words);
  await keys.press("ArrowDown");
  await focused("h2 a[data-stop]");
  await keys.press("ArrowDown");
  await focused("a.hit");
  await keys.press("Enter");
  await page.waitForURL(/\/snapshot\?id=.*#at-/);

  await tabTo("#limit");
  await keys.press("Enter");
  await page.waitForSelector("#brief-text");
  await tabTo("button[data-copy='#brief-text']");
  await keys.press("Enter");
  await page.waitForFunction(() => document.querySelector("[data-copy]").textContent
    === document.body.dataset.copied);
  const brief = await page.evaluate(() => navigator.clipboard.readText());
  if (!/^\[dcb:brief [0-9a-f]{16} begin\]\n/.test(brief)) faults.push(`copied: ${brief.slice(0, 80)}`);

  await page.goBack();
  await page.waitForSelector("#results mark");
});
