"use strict";

// The cookie of a login only reads. What decides is the secret of the login, which the
// tabs of this origin hold and hand to each other; no other port of the host sees it.
const secret = {
  key: "policyctl-login",
  tabs: new BroadcastChannel("policyctl-login"),
  get() { return sessionStorage.getItem(this.key); },
  set(value) {
    sessionStorage.setItem(this.key, value);
    show();
  },
  forget() {
    sessionStorage.removeItem(this.key);
    show();
  },
};
secret.tabs.onmessage = ({ data }) => {
  if (data.ask && secret.get()) secret.tabs.postMessage({ secret: secret.get() });
  if (data.secret && !secret.get()) secret.set(data.secret);
  if (data.ended) secret.forget();
};

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const say = (text) => { $("#status").textContent = text; };

// show shows what this tab can do.
function show() {
  const can = secret.get() !== null;
  for (const e of $$(".script")) e.hidden = e.id === "bulk" ? !can || chosen().length === 0 : e.id !== "help-open" && !can;
  const notice = $("#notice");
  notice.hidden = can;
  notice.textContent = can ? "" : "This tab can show requests but not decide. Log in here, or keep a tab open in which you did.";
  for (const item of $$(".item")) item.classList.toggle("current", item.contains(document.activeElement));
  const n = chosen().length;
  if ($("#bulk-count")) $("#bulk-count").textContent = `${n} selected`;
  tick();
}

// call asks the service for something. The answer has what it says, or what is wrong.
async function call(path, body, method = "POST") {
  const headers = { Authorization: `Bearer ${secret.get()}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const res = await fetch(path, { method, headers, body: JSON.stringify(body), cache: "no-store" });
    const answer = await res.json();
    if (res.status === 401) secret.forget();
    return { ok: res.ok, status: res.status, answer };
  } catch {
    return { ok: false, status: 0, answer: { detail: "the service cannot be reached, and nothing was decided" } };
  }
}

// lasting returns a lifetime as the service reads it.
function lasting(life) {
  if (life !== "today") return life;
  const now = new Date(), end = new Date(now);
  end.setHours(24, 0, 0, 0);
  return `${Math.max(60, Math.floor((end - now) / 1000))}s`;
}

const words = { once: "Approve once", session: "Approve for this chat", here: "Approve always here", anywhere: "Approve always, anywhere" };

// ask opens the dialog and returns what was chosen, null for nothing.
function ask({ title, text, life, reason, word }) {
  const dialog = $("#answer"), ok = $("#answer-ok"), typed = $("#answer-word");
  $("#answer-title").textContent = title;
  $("#answer-text").textContent = text;
  $("#answer-life-row").hidden = !life;
  $("#answer-reason-row").hidden = !reason;
  $("#answer-ready").hidden = reason !== "deny";
  $("#answer-word-row").hidden = !word;
  $("#answer-word-want").textContent = word || "";
  $("#answer-reason").value = typed.value = "";
  const check = () => { ok.disabled = Boolean(word) && typed.value.trim() !== word; };
  typed.oninput = check;
  check();
  ok.textContent = title;
  ok.className = title.startsWith("Approve") ? "primary" : "deny";
  dialog.returnValue = "";
  dialog.showModal();
  (word ? typed : reason ? $("#answer-reason") : ok).focus();
  return new Promise((done) => {
    dialog.onclose = () => {
      const yes = dialog.returnValue === "ok" && !ok.disabled;
      done(yes ? { reason: $("#answer-reason").value.trim(), life: $("#answer-life").value } : null);
    };
  });
}

// approve approves what items stand for, and deny denies it.
async function approve(items, scope, comment) {
  const risky = items.length > 1 && items.some((i) => i.dataset.risk === "high");
  const answer = { decision: scope === "once" ? "approved_once" : "approved_remember", scope };
  if (scope !== "once" || comment || risky) {
    const chosen = await ask({
      title: words[scope], text: about(items), life: scope !== "once", reason: comment,
      word: scope === "anywhere" ? "anywhere" : risky ? "high risk" : "",
    });
    if (!chosen) return;
    if (chosen.reason) answer.reason = chosen.reason;
    if (scope !== "once" && chosen.life) answer.for = lasting(chosen.life);
  }
  await decide(items, answer);
}

async function deny(items, decision) {
  const chosen = await ask({ title: decision === "request_more" ? "Request more" : "Deny", text: about(items), reason: "deny" });
  if (!chosen) return;
  const answer = { decision };
  if (chosen.reason) answer.reason = chosen.reason;
  await decide(items, answer);
}

// denySession denies all that is pending of a session, and what comes of it.
async function denySession(session) {
  const title = "Deny all of this session";
  const chosen = await ask({ title, text: `${session}: what waits, and what comes`, reason: "deny", life: true });
  if (!chosen) return;
  const life = lasting(chosen.life), body = { session };
  if (chosen.reason) body.reason = chosen.reason;
  if (life) body.until = new Date(Date.now() + 1000 * (life.endsWith("h") ? 3600 * parseInt(life, 10) : parseInt(life, 10))).toISOString();
  const { ok, answer } = await call("/v1/session-denials", body);
  await refresh();
  say(ok ? `Denied: ${answer.denied} of the session, and what comes of it` : `${answer.detail || "not denied"}${answer.hint ? `; ${answer.hint}` : ""}`);
}

// extend gives a request more time, while somebody waits for the answer.
async function extend(item, time) {
  const { ok, answer } = await call(`/v1/requests/${encodeURIComponent(item.dataset.ids)}/extend`, { for: time });
  await refresh();
  say(ok ? `It has time until ${new Date(answer.expires).toLocaleTimeString()}` : `${answer.detail || "not extended"}${answer.hint ? `; ${answer.hint}` : ""}`);
}

function about(items) {
  return items.length === 1 ? items[0].dataset.title : `${items.length} calls, ${items.filter((i) => i.dataset.risk === "high").length} of them of high risk`;
}

// decide sends an answer to all requests of some items, and says what came of it.
async function decide(items, answer) {
  const done = [], wrong = [];
  for (const item of items) {
    for (const id of item.dataset.ids.split(" ")) {
      const { ok, answer: said } = await call(`/v1/requests/${encodeURIComponent(id)}/decision`, { ...answer, revision: item.dataset.revision });
      if (ok) done.push(said);
      else wrong.push(said.request?.decision ? `${item.dataset.title}: decided already, ${said.request.decision.decision} by ${said.request.decision.decided_by}` : `${item.dataset.title}: ${said.detail || "not decided"}${said.hint ? `; ${said.hint}` : ""}`);
    }
  }
  const saved = done.flatMap((r) => r.decision?.saved ?? []);
  const text = done.length === 0 ? [] : [`${done[0].state === "DENIED" ? "Denied" : "Approved"}: ${done.length === 1 ? done[0].title : `${done.length} requests`}${saved.length ? `; saved ${[...new Set(saved)].join(", ")}` : ""}`];
  await refresh();
  say([...text, ...wrong].join(" · "));
}

// morph makes one element look like another and keeps what is the same, so that the
// focus, selections and open parts stay.
function morph(a, b) {
  if (a.nodeType !== b.nodeType || a.nodeName !== b.nodeName) {
    a.replaceWith(b);
    return;
  }
  if (a.nodeType !== Node.ELEMENT_NODE) {
    if (a.data !== b.data) a.data = b.data;
    return;
  }
  for (const { name, value } of [...b.attributes]) if (a.getAttribute(name) !== value) a.setAttribute(name, value);
  for (const { name } of [...a.attributes]) if (!b.hasAttribute(name) && name !== "open") a.removeAttribute(name);
  const known = new Map($$(":scope > [id]", a).map((e) => [e.id, e]));
  let at = a.firstChild;
  for (const next of [...b.childNodes]) {
    const same = next.id ? known.get(next.id) : at && !at.id && at.nodeName === next.nodeName ? at : null;
    if (!same) {
      a.insertBefore(next, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else a.insertBefore(same, at);
    morph(same, next);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

// refresh shows the page as it is now.
let refreshing = null;
function refresh() {
  refreshing ??= (async () => {
    try {
      const res = await fetch(location.href, { cache: "no-store" });
      if (res.redirected && new URL(res.url).pathname === "/login") {
        say("The login is over: log in again with a new URL.");
        secret.forget();
        return;
      }
      const page = new DOMParser().parseFromString(await res.text(), "text/html");
      const had = $$(".item").indexOf($(".item.current"));
      morph($("#content"), page.querySelector("#content"));
      document.title = page.title;
      // Where the item with the focus is gone, the next one has it.
      if (had >= 0 && !document.activeElement?.closest(".item")) focus($$(".item")[Math.min(had, $$(".item").length - 1)]);
      show();
    } catch {
      live("not live");
    } finally {
      refreshing = null;
    }
  })();
  return refreshing;
}

function live(text) { $("#live").textContent = text; }

// A browser opens few connections to a host, so that only tabs that are seen follow.
let events = null;
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    follow();
    return;
  }
  events?.close();
  events = null;
  live("not live");
});

function follow() {
  if (events || document.hidden) return;
  const own = events = new EventSource("/v1/events");
  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      if (refreshing) await refreshing;
      refresh();
    }, 20);
  };
  events.onopen = () => {
    live("live");
    soon(); // for what happened since the page was made
  };
  events.onerror = () => {
    live("not live");
    if (own !== events || own.readyState !== EventSource.CLOSED) return;
    events = null;
    setTimeout(follow, 3000);
  };
  events.addEventListener("request", soon);
  events.addEventListener("resync", soon);
}

// tick shows how much time is left.
function tick() {
  for (const e of $$(".ends")) {
    const left = (new Date(e.dateTime) - Date.now()) / 1000;
    e.title ||= e.textContent;
    e.textContent = left > 0 ? `${span(left)} left` : "ended";
  }
  for (const e of $$(".left")) {
    const left = Math.round((new Date(e.dateTime) - Date.now()) / 1000);
    const clock = left >= 3600 ? `${Math.floor(left / 3600)} h ${Math.floor((left % 3600) / 60)} min` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    e.textContent = left > 0 ? `${clock} left, then ${e.dataset.then}` : `time is up: ${e.dataset.then}`;
  }
}

// span is a time as people say it.
function span(seconds) {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

const items = () => $$(".item");
const current = () => document.activeElement?.closest(".item") ?? null;
const chosen = () => items().filter((i) => $(".selected", i)?.checked);

function focus(item) {
  if (!item) return;
  ($(".open", item) ?? $("button", item))?.focus();
  item.scrollIntoView({ block: "nearest" });
  show();
}

function move(step) {
  const all = items(), at = all.indexOf(current());
  focus(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)]);
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  a: (i) => press(i, "once"),
  s: (i) => press(i, "session"),
  h: (i) => press(i, "here"),
  c: (i) => approve([i], "once", "comment"),
  d: (i) => deny([i], "rejected"),
  x: (i) => { const box = $(".selected", i); if (box) { box.checked = !box.checked; show(); } },
  "/": () => $("#filter")?.focus(),
  "?": () => $("#help").showModal(),
};

// press approves an item as one of its buttons does. What is not offered is not done.
function press(item, scope) {
  if ($(`button[data-scope="${scope}"]`, item)) approve([item], scope);
  else say("This is not offered for the call: the page of the request says why.");
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.repeat || $("dialog[open]") || localStorage.getItem("policyctl-keys") === "off") return;
  if (e.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const act = keys[e.key];
  if (!act) return;
  const needs = "ashcdx".includes(e.key), item = current() ?? (items().length === 1 ? items()[0] : null);
  if (needs && (!item || (!secret.get() && e.key !== "x"))) return;
  e.preventDefault();
  act(item);
});

document.addEventListener("click", (e) => {
  const button = e.target.closest("button");
  if (!button || button.type !== "button") return;
  const item = button.closest(".item");
  if (item && button.dataset.scope) approve([item], button.dataset.scope);
  else if (item && "deny" in button.dataset) deny([item], button.dataset.deny || "rejected");
  else if (item && button.dataset.extend) extend(item, button.dataset.extend);
  else if ("session" in button.dataset) denySession(button.dataset.session);
  else if (button.id === "bulk-approve") approve(chosen(), "once");
  else if (button.id === "bulk-deny") deny(chosen(), "rejected");
  else if (button.id === "help-open") $("#help").showModal();
  else if (button.id === "log-out") logOut();
  else if (button.closest("#answer-ready")) $("#answer-reason").value = button.textContent;
});

// The pages of grants, tokens, logins and the audit log.

const wrong = (answer) => `${answer.detail || "nothing was done"}${answer.hint ? `; ${answer.hint}` : ""}`;

// change does one thing at the service, shows the page as it is then, and says what
// came of it. The focus does not stay on what is gone.
async function change(button, path, method, done) {
  button.disabled = true;
  const { ok, answer } = await call(path, undefined, method);
  button.disabled = false;
  if (refreshing) await refreshing;
  await refresh();
  if (!button.isConnected) $("#content").focus();
  say(ok ? done : wrong(answer));
  return ok;
}

async function revokeGrant(button) {
  const { revoke: id, title } = button.dataset;
  if (!await change(button, `/v1/grants/${encodeURIComponent(id)}`, "DELETE", `Revoked: ${title} `)) return;
  const undo = document.createElement("button");
  Object.assign(undo, { type: "button", textContent: "Undo", className: "quiet" });
  Object.assign(undo.dataset, { restore: id, title });
  $("#status").append(undo);
}

function restoreGrant(button) {
  const { restore: id, title } = button.dataset;
  return change(button, `/v1/grants/${encodeURIComponent(id)}/restore`, "POST", `Restored: ${title}`);
}

async function revokeToken(button) {
  const { revokeToken: id, title } = button.dataset;
  if (!await ask({ title: "Revoke the token", text: `${title}, ${id}: what uses it can do nothing any more, and it cannot be undone` })) return;
  await change(button, `/v1/tokens/${encodeURIComponent(id)}`, "DELETE", `Revoked: the token ${title}`);
}

async function endLogin(button) {
  const { endLogin: id, title } = button.dataset;
  if (!await ask({ title: "Sign out", text: id ? `${title}: its browser shows nothing any more` : "all browsers but this one" })) return;
  await change(button, id ? `/v1/logins/${encodeURIComponent(id)}` : "/v1/logins", "DELETE", id ? `Signed out: ${title}` : "Signed out: all others");
}

// verify has the chain verified, and shows how far it is.
async function verify(button) {
  button.disabled = true;
  const watch = setInterval(async () => {
    const { ok, answer } = await call("/v1/audit/verified", undefined, "GET");
    if (ok && answer.running && button.disabled) say(`Verifying: ${answer.running.done} of ${answer.running.of} records`);
  }, 500);
  say("Verifying");
  const { ok, answer } = await call("/v1/audit/verify", undefined, "GET");
  clearInterval(watch);
  button.disabled = false;
  await refresh();
  if (!ok) say(wrong(answer));
  else say(answer.ok ? `All ${answer.records} records are as they were written.` : `Record ${answer.seq} is not as it was written: ${answer.problem}`);
}

// makeToken makes a token, and shows it in a dialog that no refresh takes away.
async function makeToken(form) {
  const fields = new FormData(form), body = { name: fields.get("name"), scopes: fields.getAll("scope") };
  if (fields.get("life")) body.expires = new Date(Date.now() + 86400000 * Number(fields.get("life"))).toISOString();
  const { ok, answer } = await call("/v1/tokens", body);
  if (!ok) {
    say(wrong(answer));
    return;
  }
  form.reset();
  $("#once-text").textContent = answer.token;
  $("#once-said").textContent = "";
  $("#once").onclose = () => { $("#once-text").textContent = ""; };
  $("#once").showModal();
  await refresh();
  say(`Made: the token ${answer.name}`);
}

async function copyOnce() {
  try {
    await navigator.clipboard.writeText($("#once-text").textContent);
    $("#once-said").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren($("#once-text"));
    $("#once-said").textContent = "This browser does not copy by itself: the token is selected, copy it with its keys.";
  }
}

// A page that waits for something of the service is shown again.
setInterval(() => { if (!document.hidden && $("[data-again]")) refresh(); }, 1000);

const acts = { revoke: revokeGrant, restore: restoreGrant, revokeToken, endLogin, endOthers: endLogin, verify };
document.addEventListener("click", (e) => {
  const button = e.target.closest("button[type=button]");
  if (!button) return;
  for (const name of Object.keys(acts)) if (name in button.dataset) acts[name](button);
  if (button.id === "once-copy") copyOnce();
});
document.addEventListener("submit", (e) => {
  if (e.target.id !== "make-token") return;
  e.preventDefault();
  makeToken(e.target);
});

async function logOut() {
  await call("/v1/logout", {});
  secret.tabs.postMessage({ ended: true });
  secret.forget();
  location.assign("/login");
}

document.addEventListener("change", (e) => {
  if (e.target.matches(".selected")) show();
  if (e.target.id === "shortcuts") localStorage.setItem("policyctl-keys", e.target.checked ? "on" : "off");
});
document.addEventListener("focusin", show);

if ($("#shortcuts")) $("#shortcuts").checked = localStorage.getItem("policyctl-keys") !== "off";
secret.tabs.postMessage({ ask: true });
setInterval(tick, 1000);
show();
follow();
