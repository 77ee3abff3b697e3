// The code stands behind the #, which browsers send to nobody; it leaves the address at once.
"use strict";

function enter() {
  const code = location.hash.slice(1);
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("enter").requestSubmit();
}

// A link opened where this page is open already changes what is behind the # and no more.
addEventListener("hashchange", enter);
enter();
