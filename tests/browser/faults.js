// What is wrong with the scoreboard as drawn: parts cut off, lying over each other, or smaller than `least` pixels.
(least) => {
  const faults = [];
  const rim = document.querySelector(".bak");
  const felt = document.querySelector(".inner");
  const box = (one) => one.getBoundingClientRect();
  const name = (one) => `${one.className?.baseVal ?? one.className}: ${one.textContent.trim().slice(0, 30)}`;
  const sticksOut = (a, b) => a.left < b.left - 2 || a.right > b.right + 2 || a.top < b.top - 2 || a.bottom > b.bottom + 2;
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  for (const one of felt.children) if (sticksOut(box(one), box(felt))) faults.push(`cut off: ${name(one)}`);
  const players = [...document.querySelectorAll(".player")];
  const others = [...players, document.querySelector(".felt"), document.querySelector(".notice")].filter(Boolean);
  for (const one of players) {
    if (sticksOut(box(one), box(rim))) faults.push(`off the rim: ${name(one)}`);
    for (const part of one.children) if (sticksOut(box(part), box(one))) faults.push(`sticks out: ${name(part)}`);
    for (const other of others) if (other !== one && meet(box(one), box(other))) faults.push(`${name(one)} lies over ${name(other)}`);
  }
  const walk = document.createTreeWalker(rim, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (!walk.currentNode.nodeValue.trim() || one.closest("svg")) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < least) faults.push(`${size.toFixed(1)} px: ${name(one)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the screen");
  return faults;
}
