// The page status/: how old the last success is by the reader's clock, so that a dead observatory does not look alive.

import { byId } from "../elements.js";

const DAY_MS = 86400e3;

function wordsOf(days, limit) {
  const age = days < 1 ? "less than a day" : `${Math.floor(days)} ${days < 2 ? "day" : "days"}`;
  if (days > limit) return `Stale: the last success is ${age} old, more than ${limit}. The observatory stands still.`;
  return `The last success is ${age} old. At more than ${limit} days the observatory would stand still.`;
}

const line = byId("age");
if (line.dataset.success) {
  const days = (Date.now() - Date.parse(line.dataset.success)) / DAY_MS;
  const limit = Number(line.dataset.staleDays);
  line.textContent = wordsOf(days, limit);
  line.classList.toggle("strong", days > limit);
}
