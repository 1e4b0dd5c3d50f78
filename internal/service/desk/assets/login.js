"use strict";

// The code stands behind the # of the address, which no server sees. Opening the desk
// uses it up.
const code = location.hash.slice(1);
const button = document.querySelector("#open"), status = document.querySelector("#status");
button.hidden = code === "";
if (code === "") status.textContent = "There is no code in this address: open the whole URL that policyctl serve prints.";
button.addEventListener("click", async () => {
  button.disabled = true;
  const res = await fetch("/v1/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) }).catch(() => null);
  const answer = await res?.json().catch(() => null);
  if (!res?.ok) {
    button.disabled = false;
    status.textContent = answer ? `${answer.detail}; ${answer.hint}` : "The service cannot be reached.";
    return;
  }
  sessionStorage.setItem("policyctl-login", answer.token);
  location.replace("/ui");
});
