// The settings: the live picture while somebody looks, sliders that hold at once, lamps tried out one row after another.
"use strict";

const PICTURE_MS = 500; // between one picture and the next
const SEEN_MS = 2000;
const AGAIN_MS = 3000; // after a picture that did not come
const ROW_MS = 4000;

// ---- the live picture: only while it is on the screen

const picture = document.getElementById("live");
const seen = document.getElementById("seen");

if (picture) {
  let inView = false;
  let waiting = 0;
  let loads = false;
  let told = 0;

  const next = (ms) => {
    clearTimeout(waiting);
    if (inView && !document.hidden) waiting = setTimeout(load, ms);
  };
  const load = () => {
    if (loads || !inView || document.hidden) return;
    loads = true;
    picture.src = `${picture.dataset.src}?at=${Date.now()}`;
    if (Date.now() - told > SEEN_MS) tell();
  };
  const tell = async () => {
    told = Date.now();
    try {
      const answer = await fetch("/device/seen");
      if (answer.status === 403) return location.reload();
      if (answer.ok) seen.textContent = await answer.text();
    } catch {
      seen.textContent = document.body.dataset.noPicture;
    }
  };
  picture.addEventListener("load", () => { loads = false; picture.hidden = false; next(PICTURE_MS); });
  picture.addEventListener("error", () => { loads = false; picture.hidden = true; tell(); next(AGAIN_MS); });
  new IntersectionObserver((entries) => { inView = entries.at(-1).isIntersecting; next(0); }).observe(picture.parentElement);
  document.addEventListener("visibilitychange", () => next(0));
}

// ---- what is set holds at once

const place = document.getElementById("told");

function say(text) {
  place.textContent = text;
  place.hidden = !text;
}

async function send(form, more) {
  const fields = new URLSearchParams(more ?? new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body: fields });
  if (answer.status === 403) return location.reload();
  return answer.ok && !answer.url.includes("not_kept");
}

for (const form of document.querySelectorAll("form[data-live]")) {
  form.querySelector("button").hidden = true;
  form.addEventListener("change", async () => {
    if (await send(form)) say(document.body.dataset.kept);
    else form.submit(); // the page that comes back says why
  });
}

for (const range of document.querySelectorAll("input[type=range]")) {
  const shown = range.parentElement.querySelector("output");
  if (shown) range.addEventListener("input", () => { shown.textContent = range.value; });
}

// ---- lamps

const lamps = document.querySelector("form.try");

if (lamps) {
  const lit = document.getElementById("lit");
  const buttons = [...lamps.querySelectorAll("button[data-lit]")];
  const hint = lit.textContent;
  let turn = 0;

  const light = async (button) => {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
    lit.textContent = button ? button.dataset.lit : hint;
    await send(lamps, { row: button ? button.value : "" });
  };
  const onward = async (n) => {
    await light(buttons[n] ?? null);
    if (buttons[n]) turn = setTimeout(() => onward(n + 1), ROW_MS);
  };
  lamps.addEventListener("submit", (submit) => {
    submit.preventDefault();
    clearTimeout(turn);
    light(buttons.find((one) => one === submit.submitter) ?? null);
  });
  const each = document.getElementById("each");
  each.hidden = false;
  each.addEventListener("click", () => { clearTimeout(turn); onward(0); });
}

// ---- what takes a while says so

for (const form of document.querySelectorAll("form[data-wait]")) {
  form.addEventListener("submit", () => {
    const main = form.querySelector("button.main");
    main.textContent = form.dataset.wait;
    main.disabled = true;
  });
}
