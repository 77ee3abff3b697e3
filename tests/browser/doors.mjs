// What one meets before the pages: the question for the code, a wrong code, the question for the
// passphrase, a wrong one, and what does not exist. In both languages, light and dark, wide and
// narrow: no fault that axe finds, nothing wider than the window; pictures with DCB_SCREENSHOTS.
//
// Arguments: the link to an encrypted store; the passphrase.

import { speak, stumbles, withPage } from "./start.mjs";

const [link, passphrase] = process.argv.slice(2);
const folder = process.env.DCB_SCREENSHOTS;
const LOOKS = [
  ["en", "light", 1280, 800], ["zh", "dark", 1280, 800],
  ["en", "light", 360, 740], ["zh", "dark", 360, 740], ["en", "dark", 640, 400],
];

await withPage(link, async (page, base, faults) => {
  const look = async (page, name) => {
    for (const [lang, colorScheme, width, height] of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await speak(page, base, lang);
      await page.reload();
      if (folder && width !== 640) {
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
      }
      faults.push(...(await stumbles(page)));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${name}: ${over} px wider than ${width}`);
    }
  };
  const stranger = await page.context().browser().newContext({ reducedMotion: "reduce" });
  const outside = await stranger.newPage();
  await outside.goto(`${base}/`);
  await look(outside, "enter");
  await outside.keyboard.type("wrong");
  await outside.keyboard.press("Enter");
  await outside.waitForSelector("[role=alert]");
  faults.push(...(await stumbles(outside)));
  await stranger.close();

  await page.goto(`${base}/`);
  await page.waitForURL(/\/unlock/);
  await look(page, "unlock");
  await page.fill("#passphrase", passphrase);
  await page.keyboard.press("Enter");
  await page.waitForSelector("header");
  await page.goto(`${base}/nowhere`);
  await look(page, "error");
});
