// Keeps a page live. The server renders; this only fetches what changed and puts it in place.
"use strict";

const body = document.body;
const live = document.getElementById("live");
const mode = body.dataset.mode;
const LOOK_MS = 30_000; // without news for so long: ask, the connection may be dead without saying so
let dimMs = 120_000;
let seq = Number(body.dataset.seq);
let wanted = false;
let fetching = false;
let heard = Date.now();
let shown = () => {};

async function refresh() {
  wanted = true;
  if (fetching) return;
  fetching = true;
  while (wanted) {
    wanted = false;
    try {
      const query = new URLSearchParams(location.search);
      query.set("part", mode);
      const answer = await fetch(`${location.pathname}?${query}`);
      if (answer.status === 403) return location.reload();
      if (answer.ok) {
        show(await answer.text());
        lost(false);
      }
    } catch {
      lost(true);
      break;
    }
  }
  fetching = false;
}

function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  morph(live, fresh.content);
  seq = Number(live.firstElementChild.dataset.seq);
  heard = Date.now();
  shown();
}

// ---- the old page turned into the new one, leaving alone what a person holds: fields, open parts, the focus

function morph(old, fresh) {
  const keyed = new Map([...old.children].filter((child) => child.dataset.key).map((child) => [child.dataset.key, child]));
  let at = old.firstChild;
  for (const wish of [...fresh.childNodes]) {
    const known = wish.dataset?.key && keyed.get(wish.dataset.key);
    const match = known || (at && alike(at, wish) && !at.dataset?.key && !wish.dataset?.key ? at : null);
    if (!match) {
      old.insertBefore(wish, at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else old.insertBefore(match, at);
    same(match, wish);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

function same(old, wish) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== wish.nodeValue) old.nodeValue = wish.nodeValue;
    return;
  }
  if (!alike(old, wish)) return old.replaceWith(wish);
  if (old.dataset.own !== undefined) return;
  if (old.isEqualNode(wish)) return;
  for (const { name, value } of wish.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) {
    const stays = (name === "open" && old.nodeName === "DETAILS") || wish.hasAttribute(name);
    if (!stays) old.removeAttribute(name);
  }
  if (old.nodeName !== "INPUT") morph(old, wish);
}

// ---- the stream, and what to do without it

const offline = document.querySelector(".offline");
let stream;

function lost(is) {
  offline.hidden = !is;
}

function connect() {
  stream?.close();
  stream = new EventSource("/api/v1/stream");
  stream.onopen = refresh;
  stream.onerror = () => lost(true);
  stream.onmessage = () => { wake(); refresh(); };
}

function look() {
  if (document.hidden) return;
  if (stream.readyState === EventSource.CLOSED) connect();
  refresh();
}

document.addEventListener("visibilitychange", look);
addEventListener("pageshow", look);
addEventListener("online", look);
setInterval(() => { if (Date.now() - heard >= LOOK_MS) look(); }, LOOK_MS / 2);

// ---- nobody plays: spare the screen, wake with the next dice

let dimming;

function wake() {
  body.classList.remove("dim");
  clearTimeout(dimming);
  if (mode === "board") dimming = setTimeout(() => body.classList.add("dim"), dimMs);
}

function dimAfter(ms) {
  dimMs = ms;
  wake();
}

document.addEventListener("pointerdown", wake);
document.addEventListener("keydown", wake);
wake();
connect();
