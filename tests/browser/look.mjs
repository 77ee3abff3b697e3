// Every page in both languages, light and dark, wide, narrow, at double size and on paper: no fault that
// axe finds, no request elsewhere, nothing wider than the window. With DCB_SCREENSHOTS set,
// pictures go into that folder instead.
//
// Arguments: the link; a JSON object of names and addresses.

import { speak, stumbles, withPage } from "./start.mjs";

const LOOKS = [
  { lang: "en", colorScheme: "light", width: 1280, height: 800, read: true },
  { lang: "zh", colorScheme: "dark", width: 360, height: 740, read: true },
  { lang: "en", colorScheme: "light", width: 640, height: 400 }, // 1280 at 200 %
  { lang: "zh", colorScheme: "dark", width: 720, height: 1000, media: "print" }, // A4
];
const PICTURES = [
  ...LOOKS.slice(0, 2),
  { lang: "zh", colorScheme: "dark", width: 1280, height: 800 },
  { lang: "en", colorScheme: "light", width: 360, height: 740 },
];
const [link, addresses] = process.argv.slice(2);
const folder = process.env.DCB_SCREENSHOTS;

await withPage(link, async (page, base, faults) => {
  for (const { lang, colorScheme, width, height, read, media } of folder ? PICTURES : LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, media: media ?? "screen" });
    await speak(page, base, lang);
    for (const [name, address] of Object.entries(JSON.parse(addresses))) {
      await page.goto(base + address);
      if (folder) {
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
        continue;
      }
      // What opens on a click is looked at as well.
      for (const closed of await page.$$("main details:not([open]) > summary")) {
        if (await closed.isVisible()) await closed.click();
      }
      await page.waitForFunction(() => !document.querySelector(".htmx-request"));
      if (read) faults.push(...(await stumbles(page)));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${address}: ${over} px wider than ${width}`);
      if (media && (await page.isVisible("header, button"))) faults.push(`${address}: prints controls`);
    }
  }
});
