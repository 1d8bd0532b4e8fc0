// A throw played as it was seen: at its own pace or slowly, step by step; what was read is drawn where the dice rest.
"use strict";

const player = document.getElementById("player");
const words = JSON.parse(document.body.dataset.words);
const shots = JSON.parse(player.dataset.shots);
const image = player.querySelector("img");
const boxes = player.querySelector("svg");
const moment = document.getElementById("moment");
const place = document.getElementById("place");
const play = document.getElementById("play");
const slow = document.getElementById("slow");
const LAST_MS = 1500; // the last picture stays before it begins anew
const SLOWLY = 4;
const pictures = shots.map(() => null);
let at = Number(player.dataset.rest);
let timer = 0;

function loaded(n) {
  if (!pictures[n]) {
    pictures[n] = new Image();
    pictures[n].src = shots[n].src;
  }
  return pictures[n];
}

function show(n) {
  at = Math.min(shots.length - 1, Math.max(0, n));
  image.src = loaded(at).src;
  const { t, moment: name } = shots[at];
  boxes.toggleAttribute("hidden", name !== "rest");
  moment.textContent = `${t.toFixed(1).replace(".", words.decimal).replace("-", "−")} s · ${words[name]}`;
  place.value = at;
  place.setAttribute("aria-valuetext", moment.textContent);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  play.textContent = words.play;
}

async function onward() {
  const next = (at + 1) % shots.length;
  const pace = slow.getAttribute("aria-pressed") === "true" ? SLOWLY : 1;
  const wait = next ? Math.min(LAST_MS, 1000 * (shots[next].t - shots[at].t)) * pace : LAST_MS;
  const mine = (timer = setTimeout(async () => {
    try { await loaded(next).decode(); } catch { stop(); return; } // the throw may be gone by now
    if (timer !== mine) return;
    show(next);
    onward();
  }, Math.max(40, wait)));
}

function start() {
  for (let n = 0; n < shots.length; n += 1) loaded(n);
  play.textContent = words.pause;
  if (at >= Number(player.dataset.rest)) show(0);
  onward();
}

play.addEventListener("click", () => (timer ? stop() : start()));
slow.addEventListener("click", () => slow.setAttribute("aria-pressed", String(slow.getAttribute("aria-pressed") !== "true")));
document.getElementById("before").addEventListener("click", () => { stop(); show(at - 1); });
document.getElementById("after").addEventListener("click", () => { stop(); show(at + 1); });
place.addEventListener("input", () => { stop(); show(Number(place.value)); });
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); });
player.hidden = false;
show(at);
