// Waits until the device is back, then shows its page; until it has gone nothing is asked.
"use strict";

const ASK_MS = 1000;
let gone = false;
let tries = 0;

async function look() {
  tries += 1;
  try {
    const told = await (await fetch("/api/v1/health")).json();
    if (gone || told.uptime_s < tries * ASK_MS / 1000) return location.replace("/device");
  } catch {
    gone = true;
  }
  setTimeout(look, ASK_MS);
}

setTimeout(look, ASK_MS);
