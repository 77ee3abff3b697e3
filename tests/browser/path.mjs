// The whole path of a person: a file is dropped, reviewed and saved, found again, briefed,
// merged with another, looked at in time.
//
// Arguments: the link; the language; "mouse" or "keys"; a folder with an export to drop
// (export.zip), a transcript to paste (pasted.txt), and with DCB_SCREENSHOTS a place for pictures.

import { readFileSync } from "node:fs";

import { speak, stumbles, withPage } from "./start.mjs";

const [link, lang, how, folder] = process.argv.slice(2);
const pictures = process.env.DCB_SCREENSHOTS;
const LOOKS = pictures
  ? [["light", 1280, 800], ["dark", 1280, 800], ["light", 360, 740], ["dark", 360, 740]]
  : [["light", 1280, 800], ["dark", 360, 740]];

await withPage(link, async (page, base, faults) => {
  const look = async (name) => {
    if (how === "keys" && !pictures) return; // the pages are the same
    for (const [colorScheme, width, height] of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${name}: ${over} px wider than ${width}`);
      if (pictures) {
        await page.screenshot({ path: `${pictures}/${name}-${lang}-${colorScheme}-${width}.png` });
      } else {
        faults.push(...(await stumbles(page)));
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
  };
  const settled = () => page.waitForFunction(
    () => !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling"),
  );
  // With keys, whatever is to be pressed has to be reached by Tab first.
  const press = async (selector, key = "Enter", held = 0) => {
    if (how === "mouse") return page.click(selector, { delay: held });
    await page.focus("#content");
    for (let pressed = 0; pressed < 400; pressed += 1) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) {
        return page.keyboard.press(key);
      }
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reaches ${selector}`);
  };

  await speak(page, base, lang);
  await page.goto(`${base}/bring-in`);
  await look("bring-in");

  // --- dropped, or chosen with the keyboard ---
  const bytes = readFileSync(`${folder}/export.zip`);
  if (how === "mouse") {
    const transfer = await page.evaluateHandle((data) => {
      const made = new DataTransfer();
      made.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], "export.zip"));
      return made;
    }, bytes.toString("base64"));
    await page.dispatchEvent("#drop", "drop", { dataTransfer: transfer });
  } else {
    const chooser = page.waitForEvent("filechooser");
    await press("#choose");
    await (await chooser).setFiles(`${folder}/export.zip`);
  }
  await page.waitForURL(/\/bring-in\/source/);
  await page.waitForSelector("button[form=review]");
  await look("bring-in-source");

  // --- reviewed ---
  await press("button[form=review]");
  await page.waitForURL(/\/review\?draft=/);
  await look("review");
  const kept = () => page.$$eval("#layers li:not(.out)", (all) => all.length);
  const before = await kept();
  await press("#verbatim li .meta a[data-stop]");
  await page.waitForSelector("#talk .hit-now");
  if (how === "mouse") {
    await page.locator("#slider").fill("320");
  } else {
    await page.focus("#slider");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
  }
  await page.waitForSelector("#left-out .moved");
  await settled();
  if (await kept() >= before) faults.push("a smaller budget keeps as much as a large one");
  await look("review-tight");
  await press("#enough");
  await page.waitForSelector("#verbatim .moved");
  await settled();
  const first = await page.$eval("#verbatim li", (item) => item.dataset.item);
  if (how === "mouse") {
    await page.click(`#drop-${first}`);
  } else {
    await page.focus(`#item-${first} [data-stop]`);
    await page.keyboard.press("d");
  }
  await page.waitForSelector(`#keep-${first}`);
  await settled();
  if (how === "keys") {
    const there = await page.evaluate(() => document.activeElement.closest("[data-item]")?.dataset.item);
    if (!there || there === first) faults.push(`after dropping the focus is on ${there}`);
  }
  const second = await page.$eval("#verbatim li", (item) => item.dataset.item);
  await press(`#pin-${second}`);
  await page.waitForSelector(`#unpin-${second}`);
  await settled();
  await page.focus(`#kind-${second}`);
  await page.selectOption(`#kind-${second}`, "parameter");
  await page.waitForSelector(`#item-${second} .kind-parameter`);
  await settled();
  await press("#summary li a[data-stop]");
  await page.waitForSelector("textarea[form=reword]");
  await look("review-reword");
  await page.fill("textarea[form=reword]", "Reworded by hand.");
  await press("button[form=reword]");
  await page.waitForFunction(() => document.querySelector("#summary").textContent.includes("Reworded by hand."));
  await settled();
  await page.fill("#tags", "greenhouse, 温室");
  await press("form[action='/review/save'] .primary");
  await page.waitForURL(/\/snapshot\?id=.*done=saved/);
  const text = await page.textContent("main");
  if (!text.includes("Reworded by hand.")) faults.push("what was reworded is not in the snapshot");

  // --- a second conversation, pasted ---
  await page.goto(`${base}/bring-in`);
  await page.fill("#text", readFileSync(`${folder}/pasted.txt`, "utf8"));
  await press("form[action='/bring-in/text'] button");
  await page.waitForSelector("button[form=review]");
  await press("button[form=review]");
  await page.waitForURL(/\/review\?draft=/);
  await press("form[action='/review/save'] .primary");
  await page.waitForURL(/\/snapshot\?id=/);

  // --- found, briefed ---
  await page.goto(`${base}/`);
  await page.fill("#q", "vents");
  await page.waitForSelector("#results mark");
  // A slow finger: leaving the field must not load the list anew under it, or the click is lost.
  await press("#results h2 a", "Enter", 600);
  await page.waitForURL(/\/snapshot\?id=/);
  await press("form[action='/snapshot/brief'] .primary");
  await page.waitForSelector("#brief-text");

  // --- merged ---
  await press("nav a[href^='/merge?']");
  await page.waitForURL(/\/merge\?id=/);
  await look("merge-pick");
  await page.selectOption("#current", { index: 1 });
  if (await page.$eval("#current", (one) => one.value) === await page.$eval("#base", (one) => one.value)) {
    await page.selectOption("#current", { index: 2 });
  }
  await press("form[action='/merge'] .primary");
  await page.waitForSelector("#preview");
  const radio = await page.$(".conflicts .loses input");
  if (radio) {
    const id = await radio.getAttribute("id");
    await page.focus(`[id='${id}']`);
    await page.keyboard.press("Space");
    await page.waitForFunction((one) => document.getElementById(one)?.closest(".wins"), id);
    await settled();
    const focus = await page.evaluate(() => document.activeElement.id);
    if (focus !== id) faults.push(`after choosing the focus is on ${focus}`);
  } else {
    faults.push("the two sides have no conflict");
  }
  await look("merge");
  await press("button[formaction='/merge/save']");
  await page.waitForURL(/\/snapshot\?id=.*done=saved/);

  // --- looked at in time ---
  await page.goto(`${base}/timeline`);
  await look("timeline");
  await page.goto(`${base}/timeline?kinds=all`);
  await look("timeline-all");
});
