// What every page does beyond its links and forms: copying, keys, locking in time.
"use strict";

// --- copying: <button data-copy="#id of the text"> ---------------------------------------

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent);
  const words = button.textContent;
  button.textContent = document.body.dataset.copied;
  setTimeout(() => { button.textContent = words; }, 2000);
});

// --- keys: / goes to the search field, arrows walk through a list -------------------------

const typing = (element) => element.matches("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const search = document.querySelector("input[type=search]");
  if (event.key === "/" && search && !typing(event.target)) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    walk(event, search);
  }
});

function walk(event, search) {
  const links = [...document.querySelectorAll("[data-walk] a[data-stop]")];
  const at = links.indexOf(document.activeElement);
  if (!links.length || (at < 0 && event.target !== search && typing(event.target))) return;
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  if (next < 0 && search && at >= 0) {
    event.preventDefault();
    search.focus();
  } else if (links[next]) {
    event.preventDefault();
    links[next].focus();
  }
}

// --- a list that is loaded anew keeps the focus where it was ------------------------------

let focused = "";
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const active = document.activeElement;
  focused = detail.target.contains(active) ? active.getAttribute("href") ?? "" : "";
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (focused) detail.target.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
});

// --- locking: when an encrypted store is locked again, so is what is shown of it ---------

const unlocked = Number(document.body.dataset.unlocked);
if (unlocked > 0) {
  let until = Date.now() + unlocked * 1000;
  document.addEventListener("htmx:afterRequest", () => { until = Date.now() + unlocked * 1000; });
  setInterval(() => { if (Date.now() > until) location.replace("/unlock"); }, 5000);
}
