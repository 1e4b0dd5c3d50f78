"use strict";

// This worker shows that requests wait, and opens the one that is meant. It caches
// nothing, and no request of a page passes through it.

self.addEventListener("push", (e) => {
  let told = {};
  try {
    told = e.data?.json() ?? {};
  } catch {
    // what cannot be read is shown as a notification that says no more than that
  }
  const n = Number.isInteger(told.waiting) && told.waiting > 0 ? told.waiting : 0;
  const risk = ["low", "medium", "high"].includes(told.risk) ? `The newest is of ${told.risk} risk.` : "Open the desk to see more.";
  const title = n === 0 ? "Requests wait" : n === 1 ? "1 request waits" : `${n} requests wait`;
  const request = typeof told.request === "string" && /^[0-9A-Za-z][0-9A-Za-z._:-]{0,127}$/.test(told.request) ? told.request : "";
  e.waitUntil(self.registration.showNotification(title, {
    body: risk, tag: "policyctl", renotify: true, icon: "/ui/assets/icon-192.png", data: { request },
  }));
});

self.addEventListener("notificationclick", (e) => {
  e.notification.close();
  const { request } = e.notification.data ?? {};
  const url = new URL(request ? `/ui/requests/${request}` : "/ui", self.location.origin).href;
  e.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const same = open.find((c) => c.url === url);
    return same ? same.focus() : self.clients.openWindow(url);
  })());
});
