"use strict";

// The code stands behind the # of the address, which no server sees. Opening the desk
// uses it up.
const code = location.hash.slice(1);
// Who pastes the whole URL into the tab that shows this page loads nothing anew.
addEventListener("hashchange", () => location.reload());
const button = document.querySelector("#open"), key = document.querySelector("#passkey"), status = document.querySelector("#status");

// whyNot says why passkeys do not work on this page, "" where they do.
function whyNot() {
  const here = new URL(location.href);
  if (/^127\.|^\[::1\]$/.test(here.hostname)) {
    here.hostname = "localhost";
    const link = document.querySelector("#localhost");
    link.hidden = false;
    link.href = here.href;
    return "A passkey needs a name, and the address of this page is a number.";
  }
  if (/^[\d.]+$|^\[/.test(here.hostname)) return "A passkey needs a name, and the address of this page is a number: have the service served under a name, with --host.";
  if (!isSecureContext) return "A passkey needs https at this address: have the service served with --tls-cert and --tls-key.";
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return "This browser is too old for passkeys, or has them turned off.";
  return "";
}

const no = whyNot();
button.hidden = code === "";
key.hidden = no !== "";
document.querySelector("#why").textContent = no;
if (code === "") status.textContent = `There is no code in this address: open the whole URL that policyctl serve prints${no ? "" : ", or log in with a passkey"}.`;

// post sends a body and returns what the service says, null where it said what is wrong.
async function post(path, body) {
  const res = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
  const answer = await res?.json().catch(() => null);
  if (res?.ok) return answer;
  status.textContent = answer ? `${answer.detail}; ${answer.hint}` : "The service cannot be reached.";
  return null;
}

// enter goes where somebody wanted to go who has logged in.
function enter({ token }) {
  sessionStorage.setItem("policyctl-login", token);
  const request = new URLSearchParams(location.search).get("request");
  location.replace(request ? `/ui/requests/${encodeURIComponent(request)}` : "/ui");
}

button.addEventListener("click", async () => {
  button.disabled = true;
  const login = await post("/v1/login", { code });
  button.disabled = false;
  if (login) enter(login);
});

key.addEventListener("click", async () => {
  const options = await post("/v1/login/passkey/options", {});
  if (!options) return;
  let passkey;
  try {
    passkey = (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON();
  } catch {
    status.textContent = "The passkey was not used: you, or your device, said no, or there is none for this address.";
    return;
  }
  const login = await post("/v1/login/passkey", { passkey });
  if (login) enter(login);
});
