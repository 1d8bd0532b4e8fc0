// The remote: sends what is tapped, opens what a throw or a seat could have been, builds throws by hand.
"use strict";

const sheet = document.getElementById("sheet");
const words = JSON.parse(body.dataset.words);
let refused = "";

// ---- sending

async function post(path, told) {
  try {
    const answer = await fetch(`${path}?lang=${document.documentElement.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(told),
    });
    if (answer.status === 403) return location.reload();
    return { ok: answer.ok, told: await answer.json() };
  } catch {
    lost(true);
    return { ok: false, told: { error: { told: words.failed } } };
  }
}

async function send(event, again = true) {
  const answer = await post("/api/v1/events", { ...event, seq });
  if (!answer) return;
  const error = answer.ok ? null : answer.told.error;
  if (error?.reason === "stale" && event.do === "glass_empty" && again) {
    await refresh();
    return send(event, false); // it raced with a throw; the table sorts out which came first
  }
  refused = error ? error.told || error.message : "";
  await refresh();
  tell();
}

function tell() {
  const place = document.getElementById("refused");
  if (!place) return;
  place.textContent = refused;
  place.hidden = !refused;
}

document.addEventListener("click", (click) => {
  const target = click.target.closest("button");
  if (!target || target.disabled) return;
  const { event, sure, me, seat, player } = target.dataset;
  if (event !== undefined && sure) ask(sure, () => send(JSON.parse(event)));
  else if (event !== undefined) {
    close();
    send(JSON.parse(event));
  } else if (target.dataset.sheet) open(target.dataset.sheet);
  else if (me !== undefined) iAm(me);
  else if (seat !== undefined) sit(player, seat === "" ? null : Number(seat));
  else if (target.dataset.close !== undefined) close();
});

document.addEventListener("submit", (submit) => {
  const form = submit.target;
  if (!form.dataset.form) return;
  submit.preventDefault();
  if (form.dataset.form === "volume") return loud(form, submit.submitter.value);
  const player = form.elements.player.value.trim();
  if (form.dataset.form === "me") iAm(player);
  if (form.dataset.form === "join") send({ do: "join", player });
  if (form.dataset.form === "fallen") send({ do: "fallen", dice: Number(form.elements.dice.value), player });
  form.reset();
  document.activeElement.blur();
});

async function loud(form, volume) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ volume }) });
    if (answer.status === 403) return location.reload();
  } catch {
    lost(true);
  }
  await refresh();
}

async function iAm(name) {
  const answer = await post("/api/v1/me", { name });
  if (!answer) return;
  refused = answer.ok ? "" : answer.told.error.message;
  if (answer.ok) live.querySelector("details.me").open = false;
  await refresh();
  tell();
}

async function sit(player, degrees) {
  close();
  const here = [...live.querySelectorAll("[data-me]")].map((one) => one.dataset.me);
  if (here.includes(player)) return send({ do: "seat", player, degrees });
  await post("/api/v1/me", { name: player, seat: degrees });
}

// ---- sheets

async function open(path) {
  try {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(answer.statusText);
    sheet.innerHTML = await answer.text();
  } catch {
    return refresh();
  }
  for (const builder of sheet.querySelectorAll(".builder")) build(builder);
  if (!sheet.open) sheet.showModal();
}

function ask(question, then) {
  const yes = button(words.yes, "main");
  const no = button(words.cancel, "quiet");
  yes.onclick = () => { close(); then(); };
  no.dataset.close = "";
  sheet.replaceChildren(element("h2", question), row(yes, no));
  if (!sheet.open) sheet.showModal();
}

function close() {
  if (sheet.open) sheet.close();
}

sheet.addEventListener("click", (click) => { if (click.target === sheet) close(); });

// ---- small parts

function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function row(...parts) {
  const made = element("div");
  made.className = "row";
  made.append(...parts);
  return made;
}

function button(text, kind = "") {
  const made = element("button", text);
  made.type = "button";
  made.className = kind;
  return made;
}

const PIPS = { 1: [[50, 50]], 2: [[29, 29], [71, 71]], 3: [[27, 27], [50, 50], [73, 73]], 4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]], 6: [[31, 25], [69, 25], [31, 50], [69, 50], [31, 75], [69, 75]] };
const MARKS = { outside: "↗", rim: "–", unknown: "?" };

function die(face) {
  const svg = svgOf("svg", { class: `die${face === 1 ? " ace" : ""}${MARKS[face] ? ` at-${face}` : ""}`, viewBox: "0 0 100 100", "aria-hidden": "true" });
  svg.append(svgOf("rect", { class: "body", x: 4, y: 4, width: 90, height: 90, rx: 20 }));
  for (const [x, y] of PIPS[face] || []) svg.append(svgOf("circle", { class: "pip", cx: x - 1, cy: y - 1, r: face === 1 ? 13 : 9.5 }));
  if (!PIPS[face]) {
    const mark = svgOf("text", { class: "mark", x: 49, y: 67 });
    mark.textContent = MARKS[face] || face;
    svg.append(mark);
  }
  return svg;
}

function svgOf(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function told(face) {
  return { outside: words.outside, rim: words.rim, unknown: "?" }[face] || String(face);
}

function faces(choose, which = JSON.parse(live.firstElementChild.dataset.faces)) {
  const grid = element("div");
  grid.className = "faces";
  for (const face of which) {
    const choice = button("");
    choice.append(die(face));
    choice.setAttribute("aria-label", String(face));
    choice.onclick = () => choose(face);
    grid.append(choice);
  }
  return grid;
}

// ---- dice told by hand: a throw as many as the game expects, or those that go on the pile

function build(builder) {
  if (builder.dataset.built) return;
  builder.dataset.built = "1";
  if (builder.dataset.do === "place") buildPile(builder);
  else buildThrow(builder);
}

function buildThrow(builder) {
  const all = Number(builder.dataset.count);
  const pictures = JSON.parse(builder.dataset.seen || "[]");
  const keeps = JSON.parse(builder.dataset.keeps || "[]");
  const kept = new Set();
  let dice = JSON.parse(builder.dataset.dice || "[]").map((face) => face ?? "unknown");
  const count = () => all - kept.size;
  const holes = () => Array.from({ length: count() }, (_, n) => dice[n] ?? "unknown");
  const slots = element("div");
  slots.className = "slots";
  const book = button(words.book, "main");
  const put = (face) => {
    const now = holes();
    const hole = now.indexOf("unknown");
    if (hole < 0) return;
    now[hole] = face;
    dice = now;
    draw();
  };
  const draw = () => {
    const now = holes();
    slots.replaceChildren(...now.map((face, n) => {
      const slot = button("");
      slot.append(die(face));
      if (pictures.length === now.length) slot.append(picture(pictures[n]));
      slot.setAttribute("aria-label", told(face));
      slot.onclick = () => { dice = now.with(n, "unknown"); draw(); };
      return slot;
    }));
    book.disabled = now.includes("unknown");
  };
  const where = row(...["outside", "rim"].map((place) => {
    const choice = button(words[place]);
    choice.onclick = () => put(place);
    return choice;
  }));
  book.onclick = () => {
    const now = holes();
    close();
    send({
      do: builder.dataset.do,
      ...(builder.dataset.after ? { after: Number(builder.dataset.after) } : {}),
      dice: now.filter((face) => face !== "outside" && face !== "rim"),
      outside: now.filter((face) => face === "outside").length,
      rim: now.filter((face) => face === "rim").length,
      ...(kept.size ? { kept: [...kept].map((n) => keeps[n]) } : {}),
    });
  };
  const keep = element("div");
  if (keeps.length) {
    keep.append(element("p", words.keep), row(...keeps.map((face, n) => {
      const choice = button("", "pick");
      choice.append(die(face));
      choice.setAttribute("aria-label", String(face));
      choice.setAttribute("aria-pressed", "false");
      choice.onclick = () => {
        if (!kept.delete(n) && kept.size < all - 1) kept.add(n);
        choice.setAttribute("aria-pressed", String(kept.has(n)));
        draw();
      };
      return choice;
    })));
  }
  builder.replaceChildren(keep, slots, faces(put), where, book);
  draw();
}

function buildPile(builder) {
  const hand = JSON.parse(builder.dataset.hand);
  const laid = [];
  const slots = element("div");
  const rest = element("div");
  slots.className = rest.className = "slots";
  const book = button(words.book, "main");
  const slot = (n, from, to) => {
    const one = button("");
    one.append(die(hand[n]));
    one.setAttribute("aria-label", String(hand[n]));
    one.onclick = () => { from.splice(from.indexOf(n), 1); to.push(n); draw(); };
    return one;
  };
  const left = hand.map((_, n) => n);
  const draw = () => {
    rest.replaceChildren(...left.map((n) => slot(n, left, laid)));
    slots.replaceChildren(...laid.map((n) => slot(n, laid, left)));
    book.disabled = !laid.length;
  };
  book.onclick = () => send({ do: "place", dice: laid.map((n) => hand[n]) });
  builder.replaceChildren(element("p", words.place), rest, slots, book);
  draw();
}

function picture(name) {
  const made = document.createElement("img");
  made.src = `/dice/${name}.jpg`;
  made.alt = "";
  made.width = made.height = 56;
  return made;
}

// ---- a throw that somebody looked at again and wants put right

function asked() {
  const number = location.hash.match(/^#throw-(\d{1,6})$/)?.[1];
  if (!number) return;
  history.replaceState(null, "", location.pathname + location.search);
  open(`/play/throw/${number}`);
}

addEventListener("hashchange", asked);
shown = () => { for (const builder of live.querySelectorAll(".builder")) build(builder); };
shown();
asked();
