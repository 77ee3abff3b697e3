// A file that is dropped or chosen goes to the server piece by piece; one sees how far, and can stop it.
"use strict";

const drop = document.getElementById("drop");
const part = (name) => document.getElementById(`drop-${name}`);
const file = document.getElementById("file");
const choose = document.getElementById("choose");
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
let sending = null;

choose.hidden = false;
choose.addEventListener("click", () => file.click());
file.addEventListener("change", () => { if (file.files.length) send(file.files[0]); });
part("cancel").addEventListener("click", () => sending && sending.abort());

// Anywhere on the page: a file that misses the field must not replace the page.
for (const name of ["dragenter", "dragover"]) {
  addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const files = event.dataTransfer.files;
  if (!files.length || sending) return;
  send(files[0]);
  if (files.length > 1) part("said").textContent = drop.dataset.several;
});

function send(chosen) {
  part("said").textContent = "";
  if (chosen.size > Number(drop.dataset.limit)) {
    end(drop.dataset.large);
    return;
  }
  const began = Date.now();
  sending = new XMLHttpRequest();
  sending.open("POST", "/bring-in/upload");
  sending.setRequestHeader("Content-Type", "application/octet-stream");
  sending.setRequestHeader("X-CSRF-Token", document.body.dataset.csrf);
  sending.setRequestHeader("X-File-Name", encodeURIComponent(chosen.name));
  sending.setRequestHeader("HX-Request", "true");
  sending.upload.addEventListener("progress", (event) => show(event.loaded, event.total, began));
  sending.addEventListener("load", loaded);
  sending.addEventListener("error", () => end(drop.dataset.failed));
  sending.addEventListener("abort", () => end(drop.dataset.cancelled));
  part("name").textContent = fill(drop.dataset.sending, { name: chosen.name });
  part("bar").value = 0;
  part("figures").textContent = "";
  part("idle").hidden = true;
  part("busy").hidden = false;
  part("cancel").focus();
  sending.send(chosen);
}

function show(done, total, began) {
  const seconds = (Date.now() - began) / 1000;
  const rate = done / Math.max(seconds, 0.001);
  const left = Math.ceil((total - done) / Math.max(rate, 1));
  part("bar").value = total ? (100 * done) / total : 0;
  part("figures").textContent = fill(drop.dataset.sent, {
    done: megabytes(done),
    total: megabytes(total),
    rate: megabytes(rate),
    left: left < 100 ? fill(drop.dataset.seconds, { count: left }) : fill(drop.dataset.minutes, { count: Math.round(left / 60) }),
  });
}

function loaded() {
  const there = sending.getResponseHeader("HX-Redirect");
  if (there) location.assign(there);
  else if (sending.status === 201) location.assign(JSON.parse(sending.responseText).next);
  else end(new DOMParser().parseFromString(sending.responseText, "text/html").body.textContent.trim() || drop.dataset.failed);
}

function end(words) {
  sending = null;
  file.value = "";
  part("busy").hidden = true;
  part("idle").hidden = false;
  part("said").textContent = words;
  choose.focus();
}
