// The slider, keys on items, and where the eye and the focus go after a change.
"use strict";

const limit = document.getElementById("limit");
const slider = document.getElementById("slider");

// --- the budget: slider, number and the button that keeps every key message are one --------

if (slider) {
  slider.hidden = false;
  document.getElementById("budget-go").hidden = true;
  const tell = () => limit.dispatchEvent(new Event("input", { bubbles: true }));
  slider.addEventListener("input", () => { limit.value = slider.value; tell(); });
  limit.addEventListener("input", () => { slider.value = limit.value; });
  document.addEventListener("click", (event) => {
    if (event.target.id !== "enough") return;
    event.preventDefault();
    limit.value = event.target.value;
    slider.focus();
    tell();
  });
}

// --- buttons outside their form: htmx looks for what was pressed inside it only -------------

document.addEventListener("htmx:configRequest", (event) => {
  const button = event.detail.triggeringEvent?.submitter;
  if (button?.name) event.detail.parameters[button.name] = button.value;
});

// --- keys on the item that has the focus ---------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches("input, textarea, select")) return;
  const names = { d: ["drop"], p: ["pin", "unpin"], k: ["keep"] }[event.key];
  const item = event.target.closest("[data-item]");
  if (!names || !item) return;
  for (const name of names) item.querySelector(`button[name=${name}]`)?.click();
});

// --- after a change the focus stays where one was, after a jump the passage is seen --------

let place = null;
let order = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id !== "layers") return;
  const items = [...document.querySelectorAll("#layers [data-item]")];
  order = items.map((item) => item.dataset.item);
  place = document.activeElement.closest("[data-item]")?.dataset.item ?? null;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "talk") show(event.target);
  else if (place !== null) refocus();
});

function show(talk) {
  const hit = talk.querySelector(".hit-now");
  if (!hit) { talk.scrollTop = 0; return; }
  const gap = hit.getBoundingClientRect().top - talk.getBoundingClientRect().top;
  talk.scrollTop += gap - talk.clientHeight / 3;
  if (talk.getBoundingClientRect().bottom < 0 || talk.getBoundingClientRect().top > innerHeight) {
    talk.scrollIntoView({ block: "start" });
  }
}

// An item that went out stands elsewhere now: the next one that stayed takes the focus.
function refocus() {
  const kept = "#layers li:not(.out)";
  const near = [...order.slice(order.indexOf(place)), ...order.slice(0, order.indexOf(place)).reverse()];
  place = null;
  if (document.activeElement !== document.body) return;
  for (const name of near) {
    const item = document.querySelector(`${kept}[data-item="${name}"]`);
    const stop = item?.querySelector("[data-stop], button");
    if (stop) { stop.focus(); return; }
  }
}
