// A long conversation while it is compiled: how far it is, and a button that stops it, fit for
// every reader.
//
// Arguments: the link; the path of a long conversation. With DCB_SCREENSHOTS set, pictures go there.

import { speak, stumbles, withPage } from "./start.mjs";

const [link, conversation] = process.argv.slice(2);
const folder = process.env.DCB_SCREENSHOTS;
const LOOKS = [["en", "light", 1280, 800], ["zh", "dark", 360, 740]];

await withPage(link, async (page, base, faults) => {
  await page.goto(`${base}/bring-in`);
  await page.fill("#path", conversation);
  await page.click("form[action='/bring-in/path'] button");
  await page.click("button[form=review]");
  await page.waitForURL(/\/bring-in\/compiling/);
  for (const [lang, colorScheme, width, height] of LOOKS) {
    await speak(page, base, lang);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.waitForSelector("#compiling progress[max]");
    if (folder) await page.screenshot({ path: `${folder}/compiling-${lang}-${colorScheme}-${width}.png` });
    faults.push(...(await stumbles(page)));
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) faults.push(`${over} px wider than ${width}`);
  }
  await page.click("form[action='/bring-in/compiling/stop'] button");
  await page.waitForURL(/\/bring-in\/source/);
  await page.waitForSelector("button[form=review]");
});
