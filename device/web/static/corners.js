// Eight corners of the felt: tapped, or set with the arrows and Enter; the last can be taken back.
"use strict";

const form = document.getElementById("corners");
const picture = document.getElementById("picture");
const svg = picture.querySelector("svg");
const loupe = picture.querySelector(".loupe");
const field = form.elements.corners;
const count = document.getElementById("count");
const back = document.getElementById("back");
const none = document.getElementById("none");
const [width, height] = [Number(picture.dataset.width), Number(picture.dataset.height)];
const ALL = 8;
const ZOOM = 3;
const STEP = width / 320; // pixels a press of an arrow moves; with Shift one pixel, with Ctrl ten steps
let points = read();
let cross = [width / 2, height / 2];
let shows = false; // the cross of the keyboard

function read() {
  const told = field.value.trim().split(/\s+/).filter(Boolean).map((one) => one.split(",").map(Number));
  return told.filter((one) => one.length === 2 && one.every(Number.isFinite)).slice(0, ALL);
}

function write() {
  field.value = points.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(" ");
  draw();
}

function part(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function around() {
  const [x, y] = [0, 1].map((n) => points.reduce((sum, point) => sum + point[n], 0) / points.length);
  return [...points].sort((one, other) => Math.atan2(one[1] - y, one[0] - x) - Math.atan2(other[1] - y, other[0] - x));
}

function draw() {
  const size = Math.max(width / 60, 15 * width / picture.clientWidth); // to be read on a phone too
  const parts = points.length > 2 ? [part("polygon", { class: "shape", points: around().map((one) => one.join(",")).join(" ") })] : [];
  points.forEach(([x, y], n) => {
    parts.push(part("circle", { class: "dot", cx: x, cy: y, r: size / 2 }));
    parts.push(part("text", { x, y: y > size * 2 ? y - size * 0.8 : y + size * 1.6, "font-size": size }, n + 1));
  });
  if (shows) {
    parts.push(part("line", { class: "cross", x1: cross[0] - size, x2: cross[0] + size, y1: cross[1], y2: cross[1] }));
    parts.push(part("line", { class: "cross", x1: cross[0], x2: cross[0], y1: cross[1] - size, y2: cross[1] + size }));
  }
  svg.replaceChildren(...parts);
  count.textContent = form.dataset.of.replace("0", points.length);
  back.hidden = none.hidden = !points.length;
}

function set(point) {
  if (points.length < ALL) points.push(point);
  write();
}

function takeBack() {
  points.pop();
  write();
}

// ---- by finger or mouse: the corner is where it is let go, seen large beside the finger

function at(event) {
  const box = picture.getBoundingClientRect();
  const inside = (value, most) => Math.min(most - 1, Math.max(0, value));
  return [inside((event.clientX - box.left) / box.width * width, width), inside((event.clientY - box.top) / box.height * height, height)];
}

function magnify(event) {
  const box = picture.getBoundingClientRect();
  const [x, y] = at(event).map((value, n) => value * (n ? box.height / height : box.width / width));
  const half = 60;
  loupe.hidden = false;
  loupe.style.backgroundImage = `url("${picture.querySelector("img").src}")`;
  loupe.style.backgroundSize = `${box.width * ZOOM}px ${box.height * ZOOM}px`;
  loupe.style.backgroundPosition = `${half - x * ZOOM}px ${half - y * ZOOM}px`;
  loupe.style.left = `${Math.min(box.width - 2 * half, Math.max(0, x - half))}px`;
  loupe.style.top = `${y > 3 * half ? y - 2.8 * half : y + half}px`;
}

picture.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  picture.setPointerCapture(event.pointerId);
  shows = false;
  magnify(event);
});
picture.addEventListener("pointermove", (event) => { if (picture.hasPointerCapture(event.pointerId)) magnify(event); });
picture.addEventListener("pointerup", (event) => {
  if (!picture.hasPointerCapture(event.pointerId)) return;
  picture.releasePointerCapture(event.pointerId);
  loupe.hidden = true;
  set(at(event));
});
picture.addEventListener("pointercancel", () => { loupe.hidden = true; });

// ---- by keyboard

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

picture.addEventListener("keydown", (key) => {
  const move = MOVES[key.key];
  if (move) {
    const far = key.shiftKey ? 1 : key.ctrlKey ? STEP * 10 : STEP * 3;
    cross = [Math.min(width - 1, Math.max(0, cross[0] + move[0] * far)), Math.min(height - 1, Math.max(0, cross[1] + move[1] * far))];
    shows = true;
    draw();
  } else if (key.key === "Enter" || key.key === " ") set([...cross]);
  else if (key.key === "Backspace" || key.key === "Delete") takeBack();
  else return;
  key.preventDefault();
});

back.addEventListener("click", takeBack);
none.addEventListener("click", () => { points = []; write(); });
field.addEventListener("input", () => { points = read(); draw(); });
form.addEventListener("submit", () => {
  const main = form.querySelector("button.main");
  main.textContent = form.dataset.wait;
  main.disabled = true;
});
addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });
draw();
