// Keeps the page live and sends what is tapped. The server renders; this only fetches, shows and posts.
"use strict";

const body = document.body;
const live = document.getElementById("live");
const sheet = document.getElementById("sheet");
const words = JSON.parse(body.dataset.words);
const mode = body.dataset.mode;
let seq = Number(body.dataset.seq);
let wanted = false;
let fetching = false;

// ---- live

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
      if (answer.ok) show(await answer.text());
    } catch {
      break;
    }
  }
  fetching = false;
}

function show(html) {
  const kept = keep();
  live.innerHTML = html;
  seq = Number(live.firstElementChild.dataset.seq);
  kept();
  tell();
  for (const builder of live.querySelectorAll(".builder")) build(builder);
  for (const form of live.querySelectorAll("form.start")) prepare(form);
}

function keep() {
  const open = new Map([...live.querySelectorAll("details")].map((details) => [details.dataset.key, details.open]));
  const form = live.querySelector("form.start");
  const typed = form && form.contains(document.activeElement) ? new FormData(form) : null;
  return () => {
    for (const details of live.querySelectorAll("details")) details.open = open.get(details.dataset.key) ?? details.open;
    if (!typed) return;
    const again = live.querySelector("form.start");
    typed.getAll("player").forEach((name, n) => { again.elements.player[n].value = name; });
    for (const name of ["game", "preset"]) again.elements[name].value = typed.get(name);
  };
}

const stream = new EventSource("/api/v1/stream");
const offline = document.querySelector(".offline");
stream.onopen = () => { offline.hidden = true; refresh(); };
stream.onerror = () => { offline.hidden = false; };
stream.onmessage = refresh;
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });

// ---- sending

let refused = "";

async function send(event) {
  refused = "";
  try {
    const answer = await fetch(`/api/v1/events?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...event, seq }),
    });
    if (answer.status === 409) refused = (await answer.json()).error.told;
    else if (!answer.ok) throw new Error(answer.statusText);
  } catch {
    offline.textContent = words.failed;
    offline.hidden = false;
  }
  await refresh();
}

function tell() {
  const place = document.getElementById("refused");
  if (!place) return;
  place.textContent = refused;
  place.hidden = !refused;
}

document.addEventListener("click", (click) => {
  const target = click.target.closest("button");
  if (!target) return;
  if (target.dataset.event) {
    if (!target.dataset.sure || confirm(target.dataset.sure)) send(JSON.parse(target.dataset.event));
    if (sheet.open) sheet.close();
  } else if (target.matches(".pick, .more")) {
    askFor(target.closest(".thrown"), target.dataset.at);
  }
});

// ---- correcting a throw: tap the die, tap the face

function askFor(thrown, at) {
  const was = JSON.parse(thrown.dataset.dice);
  const base = { do: "correct", throw: Number(thrown.dataset.throw) };
  const outside = Number(thrown.dataset.outside);
  const rim = Number(thrown.dataset.rim);
  sheet.replaceChildren();
  if (at !== undefined) {
    const place = Number(at);
    const onFelt = place < was.length;
    const others = was.filter((_, n) => n !== place);
    const left = { outside: outside - (!onFelt && place >= was.length + rim ? 1 : 0), rim: rim - (!onFelt && place < was.length + rim ? 1 : 0) };
    sheet.append(faces((face) => ({ ...base, dice: [...others, face], ...left }), was[place]));
    const where = row();
    where.append(button(words.outside, { ...base, dice: others, ...left, outside: left.outside + 1 }));
    where.append(button(words.rim, { ...base, dice: others, ...left, rim: left.rim + 1 }));
    sheet.append(where);
  } else {
    const who = row();
    for (const name of JSON.parse(live.firstElementChild.dataset.players)) who.append(button(words.was_of.replace("{player}", name), { ...base, player: name }));
    const none = row();
    none.append(button(words.void, { ...base, void: true }));
    sheet.append(who, none);
  }
  const back = row();
  const cancel = button(words.cancel);
  cancel.onclick = () => sheet.close();
  back.append(cancel);
  sheet.append(back);
  sheet.showModal();
}

function faces(event, was) {
  const grid = document.createElement("div");
  grid.className = "faces";
  for (const face of JSON.parse(live.firstElementChild.dataset.faces)) {
    const choice = button("", typeof event === "function" ? event(face) : null);
    choice.append(die(face));
    choice.face = face;
    choice.setAttribute("aria-label", String(face));
    if (face === was) choice.classList.add("was");
    grid.append(choice);
  }
  return grid;
}

function row() {
  const made = document.createElement("div");
  made.className = "row";
  return made;
}

function button(text, event) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (event) made.dataset.event = JSON.stringify(event);
  return made;
}

const PIPS = { 1: [[50, 50]], 2: [[29, 29], [71, 71]], 3: [[27, 27], [50, 50], [73, 73]], 4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]], 6: [[31, 25], [69, 25], [31, 50], [69, 50], [31, 75], [69, 75]] };

function die(face) {
  const svg = svgOf("svg", { class: `die${face === 1 ? " ace" : ""}${face === "outside" || face === "rim" || face === "unknown" ? ` at-${face}` : ""}`, viewBox: "0 0 100 100" });
  svg.append(svgOf("rect", { class: "body", x: 4, y: 4, width: 90, height: 90, rx: 20 }));
  for (const [x, y] of PIPS[face] || []) svg.append(svgOf("circle", { class: "pip", cx: x - 1, cy: y - 1, r: face === 1 ? 13 : 9.5 }));
  if (!PIPS[face]) {
    const mark = svgOf("text", { class: "mark", x: 49, y: 67 });
    mark.textContent = { outside: "↗", rim: "–", unknown: "?" }[face] || face;
    svg.append(mark);
  }
  return svg;
}

function svgOf(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// ---- a throw by hand: as many dice as the game expects

function build(builder) {
  const count = Number(builder.dataset.count);
  const dice = JSON.parse(builder.dataset.dice || "[]").map((face) => face ?? "unknown");
  while (builder.dataset.dice && dice.length < count) dice.push("unknown");
  const slots = document.createElement("div");
  slots.className = "slots";
  const book = button(words.book);
  book.className = "main";
  const put = (face) => {
    const hole = dice.indexOf("unknown");
    if (hole >= 0) dice[hole] = face;
    else if (dice.length < count) dice.push(face);
    draw();
  };
  const grid = faces(null, null);
  for (const choice of grid.children) choice.onclick = () => put(choice.face);
  const where = row();
  for (const [place, text] of [["outside", words.outside], ["rim", words.rim]]) {
    const choice = button(text);
    choice.onclick = () => put(place);
    where.append(choice);
  }
  function draw() {
    slots.replaceChildren(...Array.from({ length: count }, (_, n) => {
      const slot = button("");
      slot.append(die(dice[n] ?? "unknown"));
      slot.onclick = () => { if (n < dice.length) { dice[n] = "unknown"; draw(); } };
      return slot;
    }));
    book.disabled = dice.length < count || dice.includes("unknown");
  }
  book.onclick = () => send({
    do: builder.dataset.do,
    dice: dice.filter((face) => face !== "outside" && face !== "rim"),
    outside: dice.filter((face) => face === "outside").length,
    rim: dice.filter((face) => face === "rim").length,
  });
  builder.replaceChildren(slots, grid, where, book);
  draw();
}

// ---- a new game

function prepare(form) {
  const names = () => [...form.elements.player].map((input) => input.value.trim()).filter(Boolean);
  const choose = () => {
    for (const option of form.elements.preset.options) option.hidden = option.disabled = option.dataset.game !== form.elements.game.value;
    const fit = [...form.elements.preset.options].find((option) => !option.disabled);
    if (fit && form.elements.preset.selectedOptions[0]?.disabled) form.elements.preset.value = fit.value;
    const kept = form.elements.opener.value;
    form.elements.opener.replaceChildren(form.elements.opener.options[0], ...names().map((name) => new Option(name, name)));
    form.elements.opener.value = names().includes(kept) ? kept : "";
  };
  form.addEventListener("input", choose);
  form.addEventListener("submit", (submit) => {
    submit.preventDefault();
    form.closest("details").open = false;
    const opener = form.elements.opener.value;
    const preset = form.elements.preset;
    send({
      do: "start", game: form.elements.game.value, players: names(),
      ...(preset.value && !preset.selectedOptions[0]?.disabled ? { preset: preset.value } : {}), ...(opener ? { opener } : {}),
    });
  });
  choose();
}

document.addEventListener("submit", (submit) => {
  if (!submit.target.matches("form.join")) return;
  submit.preventDefault();
  send({ do: "join", player: submit.target.elements.player.value.trim() });
});

// ---- nobody plays: spare the screen, wake with the next dice

const DIM_AFTER = 120_000;
let dimming;

function wake() {
  body.classList.remove("dim");
  clearTimeout(dimming);
  if (mode === "board") dimming = setTimeout(() => body.classList.add("dim"), DIM_AFTER);
}

stream.addEventListener("message", wake);
document.addEventListener("pointerdown", wake);
wake();

for (const builder of live.querySelectorAll(".builder")) build(builder);
for (const form of live.querySelectorAll("form.start")) prepare(form);
