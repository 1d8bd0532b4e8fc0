// A new game: the players' order by dragging or by buttons, the house rules of the game chosen, strokes in chalk.
"use strict";

const words = JSON.parse(document.body.dataset.words);
const form = document.getElementById("start");
const order = document.getElementById("order");
const rules = document.getElementById("rules");
const field = document.getElementById("name");
const why = document.getElementById("why");
const sheet = document.getElementById("sheet");
const say = (text, told) => text.replace(/\{(\w+)\}/g, (_, key) => told[key]);
const names = () => [...order.children].map((one) => one.dataset.name);

// ---- players

function add(name, seat = null) {
  if (!name || names().includes(name)) return;
  const one = document.createElement("li");
  one.dataset.name = name;
  if (seat !== null) one.dataset.seat = seat;
  const handle = button("⠿", say(words.drag, { name }), "handle");
  handle.tabIndex = -1;
  handle.addEventListener("pointerdown", (down) => drag(one, down));
  const label = document.createElement("span");
  label.textContent = name;
  const up = button("▲", say(words.up, { name }));
  const down = button("▼", say(words.down, { name }));
  const out = button("✕", say(words.remove, { name }), "quiet");
  up.onclick = () => move(one, -1, up);
  down.onclick = () => move(one, 1, down);
  out.onclick = () => { one.remove(); changed(); };
  one.append(handle, label, up, down, out);
  order.append(one);
  changed();
}

function move(one, by, pressed) {
  const to = names().indexOf(one.dataset.name) + by;
  if (to < 0 || to >= order.children.length) return;
  order.insertBefore(one, by < 0 ? order.children[to] : order.children[to].nextSibling);
  pressed.focus();
  document.getElementById("moved").textContent = say(words.moved, { name: one.dataset.name, n: to + 1 });
  changed();
}

function drag(one, down) {
  down.preventDefault();
  one.classList.add("dragged");
  const follow = (moved) => {
    for (const other of order.children) {
      const { top, height } = other.getBoundingClientRect();
      if (other === one || moved.clientY < top || moved.clientY > top + height) continue;
      const before = one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING;
      order.insertBefore(one, before ? other : other.nextSibling);
      return;
    }
  };
  const drop = () => {
    one.classList.remove("dragged");
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", drop);
    document.removeEventListener("pointercancel", drop);
    changed();
  };
  document.addEventListener("pointermove", follow); // the row itself moves about, and a moved row catches no pointer
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
}

function button(text, label, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.className = kind;
  made.setAttribute("aria-label", label);
  return made;
}

function changed() {
  const list = names();
  const { least, most, tooFew } = rules.firstElementChild.dataset;
  const fits = list.length >= Number(least) && list.length <= Number(most);
  form.querySelector("button[type=submit]").disabled = !fits;
  why.textContent = fits ? "" : tooFew;
  const opener = form.elements.opener;
  const kept = opener.value;
  opener.replaceChildren(opener.options[0], ...list.map((name) => new Option(name, name)));
  opener.value = list.includes(kept) ? kept : "";
  chips();
  chalk();
}

function chips() {
  const here = JSON.parse(document.getElementById("here").dataset.here);
  document.getElementById("here").replaceChildren(...Object.keys(here).filter((name) => !names().includes(name)).map((name) => {
    const chip = button(`+ ${name}`, name);
    chip.onclick = () => add(name, here[name]);
    return chip;
  }));
}

function typed() {
  add(field.value.trim());
  field.value = "";
  field.focus();
}

document.getElementById("add").onclick = typed;
field.addEventListener("keydown", (key) => {
  if (key.key !== "Enter") return;
  key.preventDefault();
  typed();
});

// ---- what already stands in chalk

function chalk() {
  const place = document.getElementById("chalk");
  if (!place) return;
  const before = new Map([...place.querySelectorAll("input, select")].map((one) => [one.name, one.value]));
  place.replaceChildren(...JSON.parse(rules.firstElementChild.dataset.chalk).flatMap(fields));
  for (const one of place.querySelectorAll("input, select")) one.value = before.get(one.name) ?? "";
}

function fields(told) {
  if (!told.by) return [labelled(told.label, control(told, [told.key]))];
  return names().map((name) => {
    if (told.by === "player") return labelled(`${name} – ${told.label}`, control(told, [told.key, name]));
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = `${name} – ${told.label}`;
    group.className = "numbers";
    group.append(legend, ...Array.from({ length: words.numbers }, (_, n) => labelled(n + 1, control(told, [told.key, name, n + 1]))));
    return group;
  });
}

function control(told, path) {
  const made = document.createElement(told.choices.length ? "select" : "input");
  made.name = JSON.stringify(path);
  if (told.choices.length) {
    made.append(new Option(words.nobody, ""), ...told.choices.flatMap((choice) => choice === "player" ? names().map((one) => new Option(one, one)) : [new Option(words[choice], choice)]));
  } else {
    Object.assign(made, { type: "number", min: 0, max: told.most, inputMode: "numeric" });
  }
  return made;
}

function labelled(text, control) {
  const label = document.createElement("label");
  label.append(String(text), control);
  return label;
}

function joined() {
  const told = {};
  for (const one of document.querySelectorAll("#chalk input, #chalk select")) {
    if (one.value === "") continue;
    const path = JSON.parse(one.name);
    const value = one.type === "number" ? Number(one.value) : one.value;
    if (path.length === 1) told[path[0]] = value;
    if (path.length === 2) (told[path[0]] ??= {})[path[1]] = value;
    if (path.length === 3) ((told[path[0]] ??= {})[path[1]] ??= {})[path[2]] = value;
  }
  return told;
}

// ---- house rules

form.addEventListener("change", async (change) => {
  if (!["game", "preset"].includes(change.target.name)) return;
  const query = new URLSearchParams({ part: "rules", game: form.elements.game.value });
  if (change.target.name === "preset") query.set("preset", change.target.value);
  const open = [...rules.querySelectorAll("details[open]")].map((one) => one.className);
  const answer = await fetch(`/play/new?${query}`);
  if (!answer.ok) return;
  rules.innerHTML = await answer.text();
  for (const one of rules.querySelectorAll("details")) one.open = open.includes(one.className);
  rules.querySelector("input[name=preset]:checked")?.focus({ preventScroll: true });
  changed();
});

function options() {
  const told = {};
  for (const one of document.querySelectorAll("[data-option]")) {
    const value = one.nodeName === "SELECT" ? JSON.parse(one.value) : one.value === "" ? null : Number(one.value);
    if (value !== JSON.parse(one.dataset.chosen)) told[one.dataset.option] = value;
  }
  return told;
}

// ---- off it goes

form.addEventListener("submit", (submit) => {
  submit.preventDefault();
  if (form.dataset.sure) ask(form.dataset.sure, begin);
  else begin();
});

async function begin() {
  const seats = Object.fromEntries([...order.children].filter((one) => one.dataset.seat).map((one) => [one.dataset.name, Number(one.dataset.seat)]));
  const preset = form.querySelector("input[name=preset]:checked, input[name=preset][type=hidden]");
  const opener = form.elements.opener.value;
  const event = {
    do: "start", game: form.elements.game.value, players: names(), seats, options: options(),
    ...(preset ? { preset: preset.value } : {}), ...(opener ? { opener } : {}), ...joined(),
  };
  try {
    const answer = await fetch(`/api/v1/events?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...event, seq: Number(form.dataset.seq) }),
    });
    if (answer.ok) return location.assign("/play");
    const { error, seq } = await answer.json();
    if (seq !== undefined) form.dataset.seq = seq;
    tell(error.told || error.message);
  } catch {
    tell(words.failed);
  }
}

function tell(text) {
  const place = document.getElementById("refused");
  place.textContent = text;
  place.hidden = false;
  place.scrollIntoView({ block: "center" });
}

function ask(question, then) {
  const yes = button(words.yes, words.yes, "main");
  const no = button(words.cancel, words.cancel, "quiet");
  const head = document.createElement("h2");
  const choices = document.createElement("div");
  head.textContent = question;
  choices.className = "row";
  yes.onclick = () => { sheet.close(); then(); };
  no.onclick = () => sheet.close();
  choices.append(yes, no);
  sheet.replaceChildren(head, choices);
  sheet.showModal();
}

for (const { name, seat } of JSON.parse(order.dataset.players)) add(name, seat);
changed();
