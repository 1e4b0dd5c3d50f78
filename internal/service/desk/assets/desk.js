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
  showYou();
  tick();
}

// call asks the service for something. The answer has what it says, or what is wrong.
async function call(path, body, method = "POST", more = {}) {
  const headers = { Authorization: `Bearer ${secret.get()}`, ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const res = await fetch(path, { method, headers, body: JSON.stringify(body), cache: "no-store" });
    const answer = await res.json();
    if (res.status === 401) secret.forget();
    return { ok: res.ok, status: res.status, answer, tag: res.headers.get("ETag")?.replaceAll('"', "") ?? "" };
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
function ask({ title, text, life, reason, word, slide, uses = false, ways = [] }) {
  const dialog = $("#answer"), ok = $("#answer-ok"), typed = $("#answer-word"), slider = $("#answer-slide");
  $("#answer-title").textContent = title;
  $("#answer-text").textContent = text;
  $("#answer-life-row").hidden = !life;
  offerWays(ways);
  const counted = $("#answer-life option[value='3x']");
  counted.hidden = counted.disabled = !uses;
  if (!uses && $("#answer-life").value === "3x") $("#answer-life").value = "8h";
  $("#answer-reason-row").hidden = !reason;
  $("#answer-ready").hidden = reason !== "deny";
  $("#answer-word-row").hidden = !word;
  $("#answer-slide-row").hidden = !slide;
  slider.value = 0;
  $("#answer-word-want").textContent = word || "";
  $("#answer-reason").value = typed.value = "";
  const check = () => { ok.disabled = Boolean(word) && typed.value.trim() !== word && slider.value !== "100"; };
  typed.oninput = slider.oninput = check;
  check();
  ok.textContent = title;
  ok.className = title.startsWith("Approve") ? "primary" : "deny";
  dialog.returnValue = "";
  dialog.showModal();
  (slide ? slider : word ? typed : reason ? $("#answer-reason") : ok).focus();
  return new Promise((done) => {
    dialog.onclose = () => {
      const yes = dialog.returnValue === "ok" && !ok.disabled;
      done(yes ? { reason: $("#answer-reason").value.trim(), life: $("#answer-life").value, way: $("#answer-ways input:checked")?.value ?? "" } : null);
    };
  });
}

// offerWays shows how far an answer may reach, each way with what it stores.
function offerWays(ways) {
  const box = $("#answer-ways");
  box.hidden = !ways.length;
  $$("label", box).forEach((l) => l.remove());
  for (const { scope, text } of ways.length ? [{ scope: "", text: "Only this call: stores nothing" }, ...ways] : []) {
    const label = make("label", { class: "row" }), radio = make("input", { type: "radio", name: "way", value: scope });
    radio.checked = !scope;
    label.append(radio, ` ${text}`);
    box.append(label);
  }
}

// limited adds to an answer for how long, or for how many calls, it holds.
function limited(answer, life) {
  const uses = life.match(/^(\d+)x$/)?.[1];
  if (uses) Object.assign(answer, { uses: Number(uses), for: "8h" });
  else if (life) answer.for = lasting(life);
}

// approve approves what items stand for, and deny denies it. The service says with an item
// which words confirm that it is approved.
async function approve(items, scope, comment) {
  const again = items.map((i) => i.dataset.again).find(Boolean) ?? "";
  const word = scope === "anywhere" ? "anywhere" : again;
  const answer = { decision: scope === "once" ? "approved_once" : "approved_remember", scope };
  if (scope !== "once" || comment || word) {
    const chosen = await ask({
      title: words[scope], text: about(items), life: scope !== "once", uses: scope !== "once", reason: comment, word, slide: scope !== "anywhere" && Boolean(again) && touch(),
    });
    if (!chosen) return;
    if (chosen.reason) answer.reason = chosen.reason;
    if (scope !== "once") limited(answer, chosen.life);
  }
  await decide(items, answer);
}

async function deny(items, decision) {
  const ways = decision === "rejected" && items.length === 1 ? JSON.parse($("button[data-ways]", items[0])?.dataset.ways || "[]") : [];
  const chosen = await ask({ title: decision === "request_more" ? "Request more" : "Deny", text: about(items), reason: "deny", ways });
  if (!chosen) return;
  const answer = { decision };
  if (chosen.way) answer.scope = chosen.way;
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
      const { ok, answer: said } = await callProved(`/v1/requests/${encodeURIComponent(id)}/decision`, { ...answer, revision: item.dataset.revision });
      const over = ok ? said : said.request;
      if (over && over.state !== "PENDING") ends.set(id, over.state);
      if (ok) done.push(said);
      else wrong.push(said.request?.decision ? `${item.dataset.title}: decided already, ${said.request.decision.decision} by ${(said.request.decision.approvers ?? [said.request.decision.decided_by]).join(" and ")}` : `${item.dataset.title}: ${said.detail || "not decided"}${said.hint ? `; ${said.hint}` : ""}`);
    }
  }
  const saved = done.flatMap((r) => r.decision?.saved ?? []);
  const votes = done.filter((r) => r.tally);
  const ended = done.filter((r) => !r.tally);
  const text = ended.length === 0 ? [] : [`${ended[0].state === "DENIED" ? "Denied" : "Approved"}: ${ended.length === 1 ? ended[0].title : `${ended.length} requests`}${saved.length ? `; saved ${[...new Set(saved)].join(", ")}` : ""}`];
  const wants = (t) => `${t.missing === 1 ? "one" : t.missing} more of ${t.open.join(", ")}`;
  for (const { title, tally } of votes) {
    text.push(tally.groups
      ? `${title}: your approval counts; waiting for ${tally.groups.filter((t) => t.missing).map(wants).join(", and ")}`
      : `${title}: your approval counts as ${tally.approved.length} of ${tally.quorum}; waiting for ${wants(tally)}`);
  }
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
  if (a.dataset && "still" in a.dataset) return; // a script has made what is in it
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

// A list that moves takes no click. While the pointer, a finger or the focus is in it, it
// stands: what is decided stays in its place as a line, and what is new waits behind a
// button. And a button that has moved, or was covered, acts when it has stood for a while,
// so that nobody answers what has just come to where they aimed.

const stands = 500; // milliseconds
const guarded = "#content :is(.item, .group, tr, .things li, .rules li, .changes li) button, #bulk button, #answer-ok";
const moved = "Nothing was done, since the list has just moved: look again, and decide then.";
const places = new WeakMap();

// place returns where something stands, and since when.
function place(e, now) {
  const was = places.get(e);
  if (!was || Object.keys(now).some((key) => was[key] !== now[key])) places.set(e, { ...now, since: performance.now() });
  return places.get(e);
}

// placeOfButton is where the pointer finds a button, and what it does: under something else
// it is not found, and a page that is shown anew may have an old button do another thing.
function placeOfButton(e) {
  const { x, y, width, height } = e.getBoundingClientRect(), dialog = $("dialog[open]"), dock = $("#dock");
  return place(e, { x, y, width, height, does: e.textContent + Object.values(e.dataset).join(" "), covered: dialog ? !dialog.contains(e) : !dock.contains(e) && y + height > dock.getBoundingClientRect().top });
}

// placeOfItem is where an item stands on the page, wherever the page is scrolled to.
const placeOfItem = (e) => place(e, { y: Math.round(e.getBoundingClientRect().top + scrollY) });

// settled reports whether a button has stood still at a time.
const settled = (button, at = performance.now()) => !button.matches(guarded) || Math.min(at, performance.now()) - placeOfButton(button).since >= stands;

// look sees where everything stands, and shows the list as it is once nobody is in it.
function look() {
  for (const e of $$(guarded)) placeOfButton(e);
  for (const e of $$(".item")) placeOfItem(e);
  if (kept && !held() && $("#live").textContent === "live") refresh();
  setTimeout(() => requestAnimationFrame(look), 100);
}

// steady reports whether an item can be answered by keys: it has stood still since it has
// the focus, or for a while.
let focused = {};
const steady = (item) => {
  const { since } = placeOfItem(item);
  return performance.now() - since >= stands || (focused.item === item && focused.calm && focused.since === since);
};
document.addEventListener("focusin", ({ target }) => {
  const item = target.closest(".item");
  if (item === (focused.item ?? null)) return;
  const since = item && placeOfItem(item).since;
  focused = item ? { item, since, calm: performance.now() - since >= stands } : {};
});

document.addEventListener("click", (e) => {
  const button = e.target.closest("button");
  if (!button?.matches(guarded) || !e.isTrusted) return;
  const item = button.closest(".item"), keys = e.detail === 0 && button.id !== "answer-ok";
  if (keys ? !item || steady(item) : settled(button, e.timeStamp)) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  say(moved);
}, true);

// held reports whether the list stands.
let touching = false;
document.addEventListener("pointerdown", (e) => { touching = e.pointerType === "touch" && Boolean(e.target.closest("#list")); }, true);
function held() {
  const list = $("#list");
  return Boolean(list) && items().some(waits) && (touching || list.matches(":hover") || list.contains(document.activeElement) || $("dialog[open]") !== null);
}

// keep shows on a list that stands what has become of its items. How they ended the stream
// of events has said.
let kept = false;
const ends = new Map();
const endings = { APPROVED: "Approved", DENIED: "Denied", TIMED_OUT: "Timed out", CANCELLED: "Withdrawn by the agent", EXECUTED: "Approved, and done", FAILED: "Approved, and failed", REVOKED: "Approved, and taken back" };
const waits = (item) => !item.classList.contains("over");
function keep(page) {
  const now = new Map($$(".item", page).flatMap((i) => i.dataset.ids.split(" ").map((id) => [id, i]))), known = new Set();
  const pairs = items().filter(waits).map((item) => {
    const next = item.dataset.ids.split(" ").map((id) => now.get(id)).find((i) => i && !known.has(i));
    known.add(next);
    return [item, next];
  });
  known.delete(undefined);
  for (const [item, next] of pairs) if (!next) finish(item);
  for (const [item, next] of pairs) if (next) morph(item, next);
  $("h1 .count").textContent = $("h1 .count", page).textContent;
  const fresh = new Set(now.values()).size - known.size;
  kept = fresh > 0 || !items().every(waits);
  $("#fresh").hidden = fresh === 0;
  $("#fresh").textContent = `${fresh} new`;
}

// finish makes a line of an item that waits no more. It keeps its height, so that nothing
// else moves, and the focus.
function finish(item) {
  const open = $(".open", item), had = item.contains(document.activeElement);
  item.style.minHeight = `${item.getBoundingClientRect().height}px`;
  item.classList.add("over");
  item.replaceChildren(make("p", {}, make("b", {}, endings[item.dataset.ids.split(" ").map((id) => ends.get(id)).find(Boolean)] ?? "It waits no more"), `: ${item.dataset.title} `, open));
  if (had) open.focus({ preventScroll: true });
}

// showNew shows the list as it is, whoever is in it.
async function showNew() {
  if (refreshing) await refreshing;
  await refresh(true);
  $("#content").focus({ preventScroll: true });
}

// refresh shows the page as it is now.
let refreshing = null;
function refresh(all = false) {
  refreshing ??= (async () => {
    try {
      const res = await fetch(location.href, { cache: "no-store" });
      if (res.redirected && new URL(res.url).pathname === "/login") {
        say("The login is over: log in again with a new URL.");
        secret.forget();
        return;
      }
      const page = new DOMParser().parseFromString(await res.text(), "text/html");
      if (!all && held()) keep(page);
      else {
        const had = current() !== null;
        morph($("#content"), page.querySelector("#content"));
        kept = false;
        $("#fresh").hidden = true;
        if (had && !current()) $("#content").focus({ preventScroll: true }); // no other item has it unasked
      }
      document.title = page.title;
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
  events.addEventListener("request", ({ data }) => {
    const { request_id: id, state } = JSON.parse(data);
    if (state !== "PENDING") ends.set(id, state);
    soon();
  });
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
  c: (i) => press(i, "once", "comment"),
  d: (i) => deny([i], "rejected"),
  x: (i) => { const box = $(".selected", i); if (box) { box.checked = !box.checked; show(); } },
  n: () => { if (!$("#fresh").hidden) showNew(); },
  "/": () => $("#filter")?.focus(),
  "?": () => $("#help").showModal(),
};

// press approves an item as one of its buttons does. What is not offered is not done.
function press(item, scope, comment) {
  if ($(`button[data-scope="${scope}"]`, item)) approve([item], scope, comment);
  else say("This is not offered for the call: the page of the request says why.");
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.repeat || $("dialog[open]") || localStorage.getItem("policyctl-keys") === "off") return;
  if (e.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const act = keys[e.key];
  if (!act) return;
  const needs = "ashcdx".includes(e.key), item = current() ?? $("article.item"); // the page of a request has no other
  if (needs && (!item || (!secret.get() && e.key !== "x"))) return;
  e.preventDefault();
  if (needs && !waits(item)) say("It waits no more.");
  else if (needs && !steady(item)) say(moved);
  else act(item);
});

document.addEventListener("click", (e) => {
  const button = e.target.closest("button");
  if (!button || button.type !== "button") return;
  const item = button.closest(".item");
  if (item && button.dataset.scope) approve([item], button.dataset.scope);
  else if (item && "deny" in button.dataset) deny([item], button.dataset.deny || "rejected");
  else if (item && button.dataset.extend) extend(item, button.dataset.extend);
  else if ("session" in button.dataset) denySession(decodeURIComponent(button.dataset.session.replaceAll("+", " ")));
  else if (button.id === "bulk-approve") approve(chosen(), "once");
  else if (button.id === "bulk-deny") deny(chosen(), "rejected");
  else if (button.id === "fresh") showNew();
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
  if (e.target.matches("#shortcuts, [data-shortcuts]")) setShortcuts(e.target.checked);
});
document.addEventListener("focusin", show);

// Rules. Text of rules goes into the page as text alone. A change says by its tag which
// rule it is based on, so that nothing is overwritten that nobody has seen.
const based = (tag) => (tag ? { "If-Match": `"${tag}"` } : { "If-None-Match": "*" });
const ruleAt = (id) => `/v1/rules/${encodeURIComponent(id)}`;

// make makes an element of text and other elements. What a reader would not see of a text
// is written out, as the pages of the server do.
const unseen = /[^\p{L}\p{N}\p{P}\p{S} \n]|[\u115f\u1160\u3164\uffa0\u2800\ufffd]/gu;
function make(name, attributes, ...parts) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  for (const part of parts) {
    if (typeof part !== "string") {
      e.append(part);
      continue;
    }
    let at = 0;
    for (const { 0: c, index } of part.matchAll(unseen)) {
      const hidden = document.createElement("span");
      hidden.className = "hidden-character";
      hidden.textContent = `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
      e.append(part.slice(at, index), hidden);
      at = index + c.length;
    }
    e.append(part.slice(at));
  }
  return e;
}

// told says something on the next page.
function told(text, page) {
  sessionStorage.setItem("policyctl-say", text);
  location.assign(page);
}

// sayUndo says what was changed, with a button that undoes it.
function sayUndo(text, change, tag) {
  say(text);
  $("#status").append(" ", make("button", { type: "button", class: "quiet", "data-undo": change, "data-revision": tag }, "Undo"));
}

async function enableRule(e, enabled) {
  const { rule, revision } = e.dataset;
  const now = await call(ruleAt(rule), undefined, "GET");
  const done = now.ok ? await call(ruleAt(rule), { ...now.answer, enabled }, "PUT", based(revision)) : now;
  await refresh();
  if (done.ok) sayUndo(`${enabled ? "Enabled" : "Disabled"}: ${rule}`, done.answer.change, done.tag);
  else say(wrong(done.answer));
}

async function deleteRule({ dataset: { rule, revision } }) {
  const done = await call(ruleAt(rule), undefined, "DELETE", based(revision));
  await refresh();
  if (done.ok) sayUndo(`Deleted: ${rule}`, done.answer.change, "");
  else say(wrong(done.answer));
}

async function undoChange({ dataset }) {
  const done = await call(`/v1/rules/changes/${dataset.undo}/undo`, {}, "POST", based(dataset.revision));
  if (done.ok && $("#history")) return told(`Undone: ${done.answer.id}`, location.pathname);
  await refresh();
  if (done.ok) sayUndo(`Undone: ${done.answer.id}`, done.answer.change, done.tag);
  else say(wrong(done.answer));
}

// importRules shows what an import would do, and with the revision of that does it.
async function importRules(revision) {
  const done = await call("/v1/rules/import", { text: $("#import-text").value, revision }), plan = done.answer;
  const said = $("#import-said"), go = $("#import-do"), names = (list) => list.map((r) => r.id ?? r).join(", ") || "none";
  if (done.ok && plan.done) return told(`Imported: added ${names(plan.added)}; changed ${names(plan.changed)}`, "/ui/rules");
  go.hidden = !done.ok || plan.added.length + plan.changed.length === 0;
  $("#import-plan").replaceChildren();
  said.textContent = done.ok ? `Adds ${plan.added.length}, changes ${plan.changed.length}, leaves ${plan.same.length} as they are; ${plan.others} others stay.` : wrong(done.answer);
  if (!done.ok) return;
  go.dataset.revision = plan.revision;
  const part = (title, r) => make("details", {}, make("summary", {}, `${title} ${r.id}`), ...(r.before ? [make("pre", { class: "goes" }, r.before)] : []), make("pre", { class: "comes" }, r.after));
  $("#import-plan").append(...plan.added.map((r) => part("Add", r)), ...plan.changed.map((r) => part("Change", r)),
    ...plan.same.map((id) => make("p", {}, `Leave ${id}`)), ...plan.notes.map((n) => make("p", { class: "finding" }, n)));
}

// The source and the builder are two views of one rule. The builder is off while the source
// has what it would change: a number that this browser rounds, a key that stands twice.
const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);
const written = (v) => JSON.stringify(v, null, 2).replace(unseen, (c) => [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""));
const packed = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");

// testsOf divides a condition into what the builder shows, and conditionOf puts it together.
function testsOf(condition) {
  return Object.entries(condition).flatMap(([key, value]) => {
    if ((key === "all" || key === "any") && Array.isArray(value) && value.every(isObject)) return [{ kind: key, groups: value.map(testsOf) }];
    if (key === "not" && isObject(value)) return [{ kind: key, groups: [testsOf(value)] }];
    if (key === "time" || !isObject(value) || Object.keys(value).length === 0) return [{ path: key, op: "", value }];
    return Object.entries(value).map(([op, v]) => ({ path: key, op, value: v }));
  });
}

function conditionOf(tests) {
  const out = {}, more = [];
  for (const t of tests) {
    const key = t.kind ?? t.path, groups = t.groups?.map(conditionOf);
    const value = t.kind === "not" ? groups[0] : (groups ?? (t.op ? { [t.op]: t.value } : t.value));
    if (!Object.hasOwn(out, key)) out[key] = value;
    else if (t.op && isObject(out[key]) && !Object.hasOwn(out[key], t.op)) Object.assign(out[key], value);
    else more.push({ [key]: value });
  }
  if (more.length > 0) out.all = [...(out.all ?? []), ...more];
  return out;
}

// shapes are how values are edited: which fit, and how they are shown and read.
const shapes = {
  yes: { fits: (v, t) => t.op === "exists" && typeof v === "boolean", show: String, read: (s) => s === "true" },
  text: { fits: (v) => typeof v === "string" && !/\n/.test(v) && v.search(unseen) < 0, show: (v) => v, read: (s, number) => (number && s.trim() && isFinite(s) ? Number(s) : s) },
  number: { fits: (v) => typeof v === "number", show: String, read: (s) => (s.trim() && isFinite(s) ? Number(s) : s) },
  lines: { fits: (v) => Array.isArray(v) && v.every((x) => (typeof x === "string" && shapes.text.fits(x) && names(x)[0] === x) || typeof x === "number") && new Set(v.map((x) => typeof x)).size < 2, show: (v) => v.join("\n"), read: (s, number) => (names(s) || []).map((x) => shapes.text.read(x, number)) },
  json: { fits: () => true, show: (v) => written(v), read: (s) => JSON.parse(s) },
};

// suited returns a value that an operator takes, made of the one before.
function suited({ op, value }, type) {
  if (op === "exists") return typeof value === "boolean" ? value : true;
  if (type === "object" || (type === "any" && !["in", "contains", "glob"].includes(op))) return value;
  if (op === "in" || (type === "texts" && !["contains", "notContains"].includes(op))) return Array.isArray(value) ? value : value === "" || typeof value === "boolean" ? [] : [value];
  const one = Array.isArray(value) && op !== "" && op !== "cidr" ? (value[0] ?? "") : value;
  return typeof one === "boolean" ? "" : one;
}

// typed has the parts of a value be of the type of a field.
function typed(value, type) {
  if (Array.isArray(value)) return value.map((v) => typed(v, type));
  if (type === "number" && typeof value === "string" && value.trim() && isFinite(value)) return Number(value);
  return (type === "text" || type === "texts") && typeof value === "number" ? String(value) : value;
}

const editor = $("#editor");
let rule = null, tests = [], cases = [], checked = null, round = 0, due = 0;

// edited takes over what the builder says.
function edited() {
  rule.when = conditionOf(tests);
  $("#source").value = written(rule);
  soon();
}

function soon() {
  checked = null;
  round++;
  clearTimeout(due);
  due = setTimeout(check, 250);
}

// read takes over what the source says.
function read() {
  const off = $("#builder-off");
  try {
    rule = JSON.parse($("#source").value);
    if (!isObject(rule) || packed(written(rule)) !== packed($("#source").value)) throw new Error("it has what the builder would change");
    if (!isObject(rule.when) || JSON.stringify(conditionOf(testsOf(rule.when))) !== JSON.stringify(rule.when)) throw new Error("its condition has what the builder does not show");
    tests = testsOf(rule.when);
    off.textContent = "";
    draw();
  } catch (e) {
    off.textContent = `Edit this rule as text: ${e.message}.`;
  }
  off.hidden = off.textContent === "";
  $("#builder-parts").hidden = !off.hidden;
}

// draw shows the rule in the builder, and leaves the focus where it was.
function draw() {
  const at = document.activeElement?.dataset.at;
  $("#when").replaceChildren(drawGroup(tests, "Require", "when", null));
  drawTerms();
  if (at) $(`[data-at="${CSS.escape(at)}"]`, editor)?.focus();
}

// drawTerms shows what is no condition.
function drawTerms() {
  for (const e of $$("[data-key]", editor)) {
    const value = e.dataset.key.split(".").reduce((v, key) => (isObject(v) ? v[key] : undefined), rule);
    if (e.dataset.kind === "on") e.checked = value !== false;
    else e.value = e.dataset.kind === "names" && Array.isArray(value) ? value.join(", ") : value ?? "";
  }
  for (const e of $$("[data-with]", editor)) e.hidden = !e.dataset.with.split(" ").includes(rule.decision);
}

function redraw() {
  edited();
  draw();
}

function drawGroup(list, title, at, remove) {
  const box = $("#group").content.cloneNode(true).firstElementChild, gone = $("[data-remove]", box);
  $("legend", box).textContent = title;
  list.forEach((t, i) => $(".entries", box).append(drawTest(t, `${at}.${i}`, () => list.splice(i, 1))));
  for (const b of $$("[data-add]", box)) {
    b.dataset.at = `${at}+${b.dataset.add}`;
    b.onclick = () => {
      const one = { path: "", op: "", value: "" };
      list.push(b.dataset.add === "test" ? one : { kind: b.dataset.add, groups: [[one]] });
      redraw();
      $(`[data-at="${CSS.escape(`${at}.${list.length - 1}${b.dataset.add === "test" ? "" : ".0.0"}.path`)}"]`)?.focus();
    };
  }
  gone.hidden = !remove;
  gone.onclick = () => { remove(); redraw(); $(".test input", editor)?.focus(); };
  return box;
}

const titles = { all: "Require all of these", any: "Include any of these", not: "Exclude" };

function drawTest(t, at, remove) {
  if (t.kind === "not") return drawGroup(t.groups[0], titles.not, `${at}.0`, remove);
  if (t.kind) {
    const add = make("button", { type: "button", class: "quiet" }, "Another alternative");
    add.onclick = () => { t.groups.push([{ path: "", op: "", value: "" }]); redraw(); };
    return make("div", { class: "several" }, make("p", {}, titles[t.kind]), ...t.groups.map((g, i) =>
      drawGroup(g, `${t.kind === "any" ? "Either" : "Part"} ${i + 1}`, `${at}.${i}`, () => (t.groups.length > 1 ? t.groups.splice(i, 1) : remove()))), add);
  }
  const box = $("#test").content.cloneNode(true).firstElementChild, part = (name) => $(`[data-part="${name}"]`, box);
  const field = () => $$("#fields option").find((o) => o.value === t.path), type = () => field()?.dataset.type ?? "any";
  const fits = (o) => o.value === "" || o.dataset.types.split(" ").includes(type());
  const operators = () => {
    part("op").replaceChildren(make("option", { value: "" }, "is"), ...[...$("#operators").content.cloneNode(true).children].filter((o) => o.value === t.op || fits(o)));
    part("op").value = t.op;
    $("small", box).textContent = field()?.textContent ?? "";
  };
  box.test = t;
  for (const name of ["path", "op"]) part(name).dataset.at = `${at}.${name}`;
  part("path").value = t.path;
  part("path").oninput = (e) => { t.path = e.target.value; operators(); edited(); };
  part("path").onchange = () => {
    if (![...part("op").options].some((o) => o.value === t.op && fits(o))) t.op = "";
    suit();
  };
  part("op").onchange = (e) => { t.op = e.target.value; suit(); };
  operators();
  // suit has the value be one that the operator takes. What else is edited, and what has
  // the focus, stays as it is.
  const suit = () => {
    t.value = typed(suited(t, type()), type());
    operators();
    value();
    edited();
  };
  let shown = "";
  const value = () => {
    const [name, shape] = Object.entries(shapes).find(([, s]) => s.fits(t.value, t));
    const before = $(`[data-at="${CSS.escape(`${at}.value`)}"]`, box);
    if (before && shown === name) return;
    if (before) delete t.unread;
    shown = name;
    const input = name === "yes" ? make("select", {}, make("option", {}, "true"), make("option", {}, "false")) : name === "lines" ? make("textarea", { rows: 2, placeholder: "one on each line, or with commas" }) : make("input", { spellcheck: "false", autocapitalize: "none" });
    input.dataset.at = `${at}.value`;
    input.value = t.unread ?? shape.show(t.value);
    if (t.unread !== undefined) input.setAttribute("aria-invalid", "true");
    input.oninput = () => {
      try {
        t.value = shape.read(input.value, type() === "number" || typeof [t.value].flat()[0] === "number");
        delete t.unread;
        input.removeAttribute("aria-invalid");
        edited();
      } catch {
        t.unread = input.value;
        input.setAttribute("aria-invalid", "true");
      }
    };
    if (before) before.replaceWith(input);
    else $(".value", box).append(input);
  };
  value();
  $("[data-remove]", box).onclick = () => { remove(); redraw(); $(".test input", editor)?.focus(); };
  return box;
}

// names are what commas and the ends of lines separate, "" for none. A comma within
// brackets separates nothing, as in *.{js,ts}.
function names(text) {
  const list = text.split(/,(?![^{}[\]()\n]*[}\])])|\n/).map((name) => name.trim()).filter((name) => name !== "");
  return list.length ? list : "";
}

// setTerm takes over one entry of the rule that is no condition.
function setTerm(e) {
  const keys = e.dataset.key.split("."), last = keys.pop(), kind = e.dataset.kind;
  let into = rule;
  for (const key of keys) into = into[key] = isObject(into[key]) ? into[key] : {};
  const value = kind === "on" ? e.checked : kind === "number" && isFinite(e.value) && e.value.trim() ? Number(e.value) : kind === "names" ? names(e.value) : e.value;
  if (value === "" || (kind === "on" && value)) delete into[last];
  else into[last] = value;
  if (keys.length && Object.keys(into).length === 0) delete rule[keys[0]];
  if (last === "decision") for (const other of $$("[data-with]", editor)) if (!other.dataset.with.split(" ").includes(value)) delete rule[$("[data-key]", other).dataset.key.split(".")[0]];
  edited();
  if (last === "decision") drawTerms();
}

// emptyPart returns the first part of a condition that lacks a field or a value, null for
// none: what compares with nothing is not what anybody means.
function emptyPart() {
  const empty = (v) => (Array.isArray(v) ? v.length === 0 || v.some(empty) : typeof v === "string" && v.trim() === "");
  for (const box of $$("#when .test", editor)) {
    if (empty(box.test.path)) return $("[data-part=path]", box);
    if (box.test.op !== "exists" && empty(box.test.value)) return $(".value :is(input, textarea, select)", box);
  }
  return null;
}

function drawCases() {
  $("#cases").replaceChildren(...cases.map((c, i) => {
    const box = $("#case").content.cloneNode(true).firstElementChild, part = (name) => $(`[data-part="${name}"]`, box);
    let kind = ["call", "record"].find((k) => k in c) ?? "command";
    const input = () => {
      const text = part("input").value;
      c[kind] = text;
      if (kind !== "command" || text.trim().startsWith("[")) try { c[kind] = JSON.parse(text); } catch { /* the check says what is wrong with it */ }
    };
    part("kind").value = kind;
    part("input").value = typeof c[kind] === "string" ? c[kind] : written(c[kind] ?? "");
    part("want").value = "match" in c ? `match ${c.match}` : c.decision;
    part("name").value = c.name ?? "";
    part("kind").onchange = (e) => { delete c[kind]; kind = e.target.value; input(); soon(); };
    part("input").oninput = () => { input(); soon(); };
    part("want").onchange = ({ target: { value } }) => {
      for (const key of ["match", "decision", "stage", "rule", "reason"]) delete c[key];
      if (value.startsWith("match")) c.match = value === "match true";
      else c.decision = value;
      soon();
    };
    part("name").oninput = (e) => { if (e.target.value) c.name = e.target.value; else delete c.name; soon(); };
    $("[data-remove]", box).onclick = () => { cases.splice(i, 1); drawCases(); $("#add-case").focus(); soon(); };
    return box;
  }));
}

// check shows what the service says of the rule as it stands in the source.
async function check() {
  const mine = ++round, { ok, answer } = await call("/v1/rules/check", { text: $("#source").value, of: editor.dataset.of, cases });
  if (mine !== round) return;
  const problems = ok ? [...answer.problems] : [{ text: wrong(answer) }], empty = $("#builder-parts").hidden ? null : emptyPart();
  for (const e of $$("#when .hollow")) e.classList.remove("hollow");
  if (ok && empty) {
    empty.classList.add("hollow");
    problems.push({ text: `a part of the condition has no ${empty.dataset.part ? "field" : "value"}` });
  }
  checked = ok ? answer : null;
  $("#source").setAttribute("aria-invalid", String(problems.length > 0));
  const failing = (answer.cases ?? []).filter((c) => !c.passed).length;
  $("#verdict").textContent = problems.length ? `${problems.length} ${problems.length === 1 ? "problem" : "problems"}` : `It can be saved${failing ? `, and ${failing} of ${cases.length} test cases fail` : ""}.`;
  $("#problems").replaceChildren(...problems.map((p) => make("li", {}, ...(p.line ? [make("button", { type: "button", class: "quiet", "data-line": p.line, "data-column": p.column }, `${p.line}:${p.column}`), " "] : []), p.text, ...(p.hint ? [make("b", {}, ` Did you mean ${p.hint}?`)] : []))));
  const findings = answer.findings ?? [], notes = answer.notes ?? [];
  $("#found").hidden = findings.length + notes.length === 0;
  $("#findings").replaceChildren(...findings.map((f) => make("li", { class: `finding ${f.severity}` }, make("b", {}, f.kind), `: ${f.rules[0]}: ${f.text}. ${f.next}`)), ...notes.map((n) => make("li", {}, n)));
  $$("#cases .result").forEach((e, i) => {
    const c = answer.cases?.[i];
    e.textContent = !c ? "" : c.passed ? "passes" : `fails: expected ${c.want}, and it is ${c.got}: ${c.why}`;
    e.className = `result ${c && !c.passed ? "error" : ""}`;
  });
  if (problems.length === 0) await preview(mine);
}

async function preview(mine) {
  const { ok, answer: p } = await call("/v1/rules/preview", { draft: checked.rule, lookback: 200 });
  if (mine !== round) return;
  $("#preview-sum").textContent = ok ? `Would have matched ${p.matched} of ${p.total}${p.out_of_scope ? `; ${p.out_of_scope} more outside of its scope` : ""}${p.unknown ? `; ${p.unknown} cannot be told` : ""}.` : wrong(p);
  $("#preview-turns").replaceChildren(...(ok ? (p.turns ?? []) : []).map((t) => make("li", {}, `${t.calls} from ${t.was} to ${t.becomes}`)));
  $("#preview-samples").replaceChildren(...(ok ? (p.samples ?? []) : []).map((s) => make("li", {}, make("code", {}, s.text), s.was && s.was !== s.becomes ? ` ${s.was}, would become ${s.becomes}` : ` ${s.was ?? ""}`)));
}

async function save() {
  clearTimeout(due);
  if (!checked) await check();
  const empty = $("#builder-parts").hidden ? null : emptyPart();
  if (empty) {
    say(`Not saved: a part of the condition has no ${empty.dataset.part ? "field" : "value"}.`);
    return empty.focus();
  }
  if ($("#when [aria-invalid=true]") && !$("#builder-parts").hidden) {
    say("Not saved: a value of the condition cannot be read.");
    return $("#when [aria-invalid=true]").focus();
  }
  if (!checked?.rule) {
    say("Not saved: correct what is wrong first.");
    return $("#source").focus();
  }
  const now = checked, failing = now.cases.filter((c) => !c.passed).length;
  if (failing && !(await ask({ title: "Save all the same", text: `${failing} of ${now.cases.length} test cases fail.` }))) return;
  const { id } = now.rule, done = await call(ruleAt(id), { ...now.rule, cases }, "PUT", based(editor.dataset.revision));
  if (done.status === 412) return stale(id, done);
  if (!done.ok) return say(wrong(done.answer));
  unchanged = drafted();
  if (!editor.dataset.of) return told(`Saved: ${id}. It counts from the next call on.`, `/ui/rules/${encodeURIComponent(id)}`);
  editor.dataset.revision = done.tag;
  $("#stale").replaceChildren();
  await refresh();
  sayUndo(`Saved: ${id}. It counts from the next call on.`, done.answer.change, done.tag);
}

// drafted is all that the editor would save, and unchanged what is saved of it: who leaves
// with more is asked.
const drafted = () => JSON.stringify([$("#source").value, cases]);
let unchanged = "";
addEventListener("beforeunload", (e) => { if (editor && drafted() !== unchanged) e.preventDefault(); });

// stale shows what somebody else has made of the rule meanwhile.
async function stale(id, done) {
  const now = await call(ruleAt(id), undefined, "GET");
  await refresh();
  const last = $("#history li")?.cloneNode(true), take = make("button", { type: "button" }, "Take it as it is now"), over = make("button", { type: "button", class: "deny" }, "Save mine in its place");
  take.onclick = () => { unchanged = drafted(); location.reload(); };
  over.onclick = () => { editor.dataset.revision = now.tag; save(); };
  if (last) last.removeAttribute("id");
  $("#stale").replaceChildren(make("p", { class: "notice" }, `Not saved: ${wrong(done.answer)}`), ...(last ? [make("ul", { class: "changes" }, last)] : []), make("p", { class: "buttons" }, take, ...(editor.dataset.of ? [over] : [])));
  for (const e of $$("#stale [data-undo]")) e.remove();
  $("#stale").focus();
}

if (editor) {
  cases = JSON.parse($("#cases").dataset.cases);
  editor.addEventListener("submit", (e) => { e.preventDefault(); save(); });
  $("#source").addEventListener("input", () => { read(); soon(); });
  editor.addEventListener("input", (e) => { if ("key" in e.target.dataset) setTerm(e.target); });
  editor.addEventListener("keydown", (e) => { if (e.key === "Enter" && e.target.matches("input")) e.preventDefault(); });
  $("#add-case").onclick = () => { cases.push({ command: "", match: true }); drawCases(); $("#cases li:last-child textarea").focus(); soon(); };
  $("#problems").onclick = ({ target: { dataset: d } }) => {
    if (!d.line) return;
    const lines = $("#source").value.split("\n"), from = lines.slice(0, d.line - 1).join("\n").length + (d.line > 1) + [...lines[d.line - 1] ?? ""].slice(0, d.column - 1).join("").length;
    $("#source").focus();
    $("#source").setSelectionRange(from, from + 1);
  };
  read();
  drawCases();
  unchanged = drafted();
  if (editor.dataset.of) soon();
}
document.addEventListener("click", (e) => {
  const b = e.target.closest("button"), entry = b?.closest("[data-rule]");
  if (!b) return;
  if (entry && b.dataset.enable) enableRule(entry, Number(b.dataset.enable));
  else if (entry && "delete" in b.dataset) deleteRule(entry);
  else if (b.dataset.undo) undoChange(b);
  else if (b.id === "import-show") importRules("");
  else if (b.id === "import-do") importRules(b.dataset.revision);
});
(async () => { // until the linter is done
  while ($("#searching")) await new Promise((done) => setTimeout(done, 500)).then(refresh);
})();
$("#import-file")?.addEventListener("change", async ({ target }) => { if (target.files[0]) $("#import-text").value = await target.files[0].text(); });
$("#import-text")?.addEventListener("input", () => { $("#import-do").hidden = true; });
if (sessionStorage.getItem("policyctl-say")) {
  setTimeout((text) => say(text), 50, sessionStorage.getItem("policyctl-say"));
  sessionStorage.removeItem("policyctl-say");
}

// Passkeys and phones.

function setShortcuts(on) {
  localStorage.setItem("policyctl-keys", on ? "on" : "off");
  for (const box of $$("#shortcuts, [data-shortcuts]")) box.checked = on;
}

const touch = () => matchMedia("(pointer: coarse)").matches;

// whyNoPasskeys says why passkeys do not work on this page, "" where they do.
function whyNoPasskeys() {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return `Passkeys need a name, and the address of this page is a number. ${/^127\.|^\[::1\]$/.test(location.hostname) ? `Open http://localhost:${location.port || 80} instead, and log in there.` : "Serve the desk under a name, with --host."}`;
  if (!isSecureContext) return "Passkeys need https at this address: serve the desk with --tls-cert and --tls-key.";
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return "This browser is too old for passkeys, or has them turned off: use a newer one.";
  return "";
}

// why is the text of something that went wrong in a browser.
const why = (e) => e.name === "NotAllowedError" ? "the passkey was not used: you, or your device, said no, or time ran out" : e.name === "InvalidStateError" ? "this device has a passkey of yours for this address already" : e.message;

// byPasskey has the owner of a passkey answer to options: with passkey, or with detail
// where they do not.
async function byPasskey(options) {
  try {
    return { passkey: (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON() };
  } catch (e) {
    return { detail: why(e) };
  }
}

// callProved calls a route, and with the answer of a passkey where it wants one.
async function callProved(path, body) {
  const first = await call(path, body);
  if (first.answer?.code !== "passkey-required") return first;
  const no = whyNoPasskeys();
  if (no) return { ...first, answer: { detail: "to approve this takes a passkey", hint: no } };
  const options = await call(`${path}/options`, body);
  if (!options.ok) return options;
  say("Your browser asks for your passkey.");
  const answer = await byPasskey(options.answer);
  return answer.passkey ? call(path, { ...body, passkey: answer.passkey }) : { ...first, answer };
}

async function registerPasskey(form) {
  const draft = { person: $("#passkey-person").value.trim(), label: $("#passkey-label").value.trim() };
  const { ok, answer } = await call("/v1/passkeys/options", draft);
  if (!ok) return say(wrong({ answer }));
  if (answer.confirm) {
    say("Confirm with a passkey that is registered. The new one comes next.");
    const confirmed = await byPasskey(answer.confirm);
    if (!confirmed.passkey) return say(wrong({ answer: confirmed }));
    draft.confirmation = confirmed.passkey;
  }
  try {
    draft.credential = (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(answer.create) })).toJSON();
  } catch (e) {
    return say(why(e));
  }
  const done = await call("/v1/passkeys", draft);
  if (done.ok) form.reset();
  await refresh();
  say(done.ok ? `Registered: ${done.answer.label}` : wrong(done));
}

async function removePasskey({ passkeyRemove: id, label }) {
  const path = `/v1/passkeys/${encodeURIComponent(id)}/removal`;
  const { ok, answer } = await call(`${path}/options`, {});
  if (!ok) return say(wrong({ answer }));
  say("Confirm with a passkey that is registered.");
  const confirmed = await byPasskey(answer);
  if (!confirmed.passkey) return say(wrong({ answer: confirmed }));
  const done = await call(path, confirmed);
  await refresh();
  say(done.ok ? `Removed: ${label}` : wrong(done));
}

// whyNoPush says why this browser cannot be told of requests, "" where it can.
function whyNoPush() {
  if (!isSecureContext) return "Notifications need https, or localhost: serve the desk with --tls-cert and --tls-key.";
  if (navigator.standalone === false) return "On an iPhone or iPad, add this page to the home screen first (Share, Add to Home Screen), and open it there.";
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "This browser has no notifications by push: use another one. In a private window there are none.";
  if (Notification.permission === "denied") return "This browser denies notifications to this page: allow them in its settings for this address, and load the page again.";
  return "";
}

const ownPush = "policyctl-push";

async function subscribePush(form) {
  try {
    if (await Notification.requestPermission() !== "granted") return say("The browser was not allowed to notify you: allow it when it asks.");
    const { ok, answer } = await call("/v1/push", undefined, "GET");
    if (!ok) return say(wrong({ answer }));
    await navigator.serviceWorker.register("/ui/assets/worker.js", { scope: "/ui", updateViaCache: "none" });
    const worker = await navigator.serviceWorker.ready;
    const old = await worker.pushManager.getSubscription();
    if (old) await old.unsubscribe(); // it may be for another key
    const { endpoint, keys } = (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: answer.key })).toJSON();
    const done = await call("/v1/push", { label: $("#push-label").value.trim(), endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
    if (done.ok) {
      localStorage.setItem(ownPush, done.answer.id);
      form.reset();
    }
    await refresh();
    say(done.ok ? `Notified from now on: ${done.answer.label}` : wrong(done));
  } catch (e) {
    say(`The browser cannot be notified: ${e.message}`);
  }
}

async function unsubscribePush(id) {
  const { ok, answer } = await call(`/v1/push/${encodeURIComponent(id)}`, undefined, "DELETE");
  if (ok && localStorage.getItem(ownPush) === id) {
    localStorage.removeItem(ownPush);
    const worker = await navigator.serviceWorker?.getRegistration("/ui");
    await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  }
  await refresh();
  say(ok ? "Notified no more." : wrong({ answer }));
}

document.addEventListener("submit", (e) => {
  const act = { "passkey-form": registerPasskey, "push-form": subscribePush }[e.target.id];
  if (!act) return;
  e.preventDefault();
  act(e.target);
});

document.addEventListener("click", async (e) => {
  const { passkeyRemove, pushRemove, copy } = e.target.closest("button")?.dataset ?? {};
  if (passkeyRemove) removePasskey(e.target.closest("button").dataset);
  else if (pushRemove) unsubscribePush(pushRemove);
  else if (copy) {
    try {
      await navigator.clipboard.writeText(new URL(copy, location.origin).href);
      say("The link is copied. Who opens it logs in first.");
    } catch {
      say("The browser does not let the page copy: copy the address of the page.");
    }
  }
});

// A slide that begins at its start and ends at its end answers. A touch in the middle
// moves nothing, and who has let go before the end begins anew.
let drag = null;
$("#answer-slide")?.addEventListener("pointerdown", () => { drag = { begun: false, jumped: false }; });
$("#answer-slide")?.addEventListener("input", ({ target }) => {
  if (drag && !drag.begun) drag = { begun: true, jumped: Number(target.value) > 30 };
  if (drag?.jumped) target.value = 0;
  target.oninput();
});
$("#answer-slide")?.addEventListener("change", ({ target }) => {
  if (!drag) return; // keys: the button answers
  const there = target.value === "100" && !drag.jumped;
  drag = null;
  if (there) $("#answer-ok").click();
  else target.value = 0;
  target.oninput();
});

// showYou shows what this browser can do.
function showYou() {
  for (const [id, no] of [["passkey", whyNoPasskeys()], ["push", whyNoPush()]]) {
    if (!$(`#${id}-form`)) return;
    $(`#${id}-why`).hidden = !no;
    $(`#${id}-why`).textContent = no;
    $(`#${id}-form`).hidden = Boolean(no) || secret.get() === null;
  }
}

setShortcuts(localStorage.getItem("policyctl-keys") !== "off");
secret.tabs.postMessage({ ask: true });
setInterval(tick, 1000);
show();
look();
follow();
