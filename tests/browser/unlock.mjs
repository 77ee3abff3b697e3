// An encrypted store: the question, a wrong answer, the right one, and locking by hand.
//
// Arguments: the link; the passphrase.

import { stumbles, withPage } from "./start.mjs";

const [link, passphrase] = process.argv.slice(2);

await withPage(link, async (page, base, faults) => {
  await page.goto(`${base}/inbox`);
  await page.waitForURL(/\/unlock\?next=%2Finbox$/);
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  faults.push(...(await stumbles(page)));
  await page.keyboard.type(passphrase);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/inbox`);
  await page.goto(`${base}/`);
  await page.keyboard.press("/");
  await page.keyboard.type("retries");
  await page.waitForSelector("#results mark");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(400);
  if (page.url() !== `${base}/`) faults.push(`the search is in the address: ${page.url()}`);
  await page.click("form[action='/lock'] button");
  await page.waitForURL(`${base}/unlock`);
  await page.goBack();
  await page.waitForURL(/\/unlock/);
});
