// The code stands behind the #, which browsers send to nobody; it leaves the address at once.
"use strict";

const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("enter").requestSubmit();
}
