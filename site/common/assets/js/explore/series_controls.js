// The two trials that are drawn over time.

import { byId, make } from "../elements.js";
import { reasonOf, sizeOf } from "../site.js";
import { fetched, seriesOf } from "./series.js";

const SIDES = ["one", "other"];
let asked = ""; // the names of the trials that are drawn, or being read

// Shows which trials a view names, and draws them.
export function drawSeries(view, archive, root, change) {
  for (const side of SIDES) {
    byId(side).value = view[side];
    byId(side).onchange = () => change({ [side]: byId(side).value.trim() });
  }
  const names = SIDES.map((side) => view[side]).filter(Boolean), wanted = names.join(" ");
  if (wanted === asked) return;
  asked = wanted;
  draw(names, archive, root, () => asked === wanted);
}

// A view with this trial drawn: in the free place, else in the second. A trial that is drawn already goes.
export function withTrial(view, name) {
  const side = SIDES.find((one) => view[one] === name);
  if (side) return { [side]: "" };
  return { [SIDES.find((one) => !view[one]) ?? "other"]: name };
}

async function draw(names, archive, root, isWanted) {
  const status = byId("series-status"), place = byId("series"), before = fetched.bytes;
  if (!names.length) {
    status.textContent = "";
    return place.replaceChildren();
  }
  status.textContent = "Reading the rows of these trials …";
  try {
    const figures = await seriesOf(names, archive, root);
    if (!isWanted()) return null;
    const drawn = names.length === 1 ? "one trial" : "two trials, on the same axes";
    status.textContent = `Drawn: ${drawn}. Read ${sizeOf(fetched.bytes - before)}.`;
    return place.replaceChildren(...figures);
  } catch (error) {
    if (!isWanted()) return null;
    status.textContent = `The trials could not be drawn: ${reasonOf(error)}.`;
    return place.replaceChildren(make("p", { class: "muted" }, "Nothing is drawn."));
  }
}
