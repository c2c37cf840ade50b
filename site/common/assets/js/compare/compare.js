/*! Contains hyparquet (Hyperparam) and fzstd (Copyright (c) 2020 Arjun Barrett), both under the MIT License. */
// The page that shows two pairs, or two settings, of any cycles beside each other.

import { byId, make, setOptions } from "../elements.js";
import { FROM_A_FOLDER, queryOf, readJson, reasonOf, rootOf } from "../site.js";
import { pageOf, pairTitle, readCycle, settingTitle } from "./cycle.js";
import { differences } from "./method.js";
import { addressOf, fitted, pairsOf, rowsOf, sideOf } from "./sides.js";
import { pairTables, settingTables } from "./tables.js";

const page = byId("compare"), root = rootOf(page);
const NAMES = ["a", "b"], SHARE = "share";
let words, cycles, sides, figure = SHARE;
let wanted; // the sides that were asked for last, which may still be read
let run = 0; // counts what was asked for, so that a late answer to an earlier question is not shown

async function start() {
  cycles = [...byId("a-cycle").options].map((option) => option.value);
  words = await readJson(new URL("explore/compare/words.json", root));
  page.hidden = false;
  window.addEventListener("popstate", restore);
  for (const [place, name] of NAMES.entries()) {
    for (const part of ["cycle", "setting", "pair"]) {
      byId(`${name}-${part}`).onchange = (event) => choose(place, part, event.target.value);
    }
  }
  byId("figure").onchange = (event) => change(wanted, event.target.value);
  return restore();
}

function restore() {
  const asked = new URLSearchParams(location.search), problems = [];
  wanted = NAMES.map((name) => sideOf(asked.get(name) ?? ""));
  wanted.forEach((side, place) => {
    if (cycles.includes(side.cycle)) return;
    if (asked.get(NAMES[place])) problems.push(`there is no cycle “${asked.get(NAMES[place])}”`);
    side.cycle = place ? cycleBefore(wanted[0].cycle) : page.dataset.latest || cycles[0];
  });
  return show(asked.get("figure") ?? SHARE, problems);
}

// The cycle of the same campaign before this one, else itself. The latest ones are listed first, withdrawn ones too.
function cycleBefore(name) {
  const [campaign, label] = name.split("/"), withdrawn = page.dataset.withdrawn.split(" ");
  const earlier = cycles.slice(cycles.indexOf(name) + 1)
    .filter((other) => other.startsWith(`${campaign}/`) && !withdrawn.includes(other));
  return earlier.find((other) => !other.startsWith(`${campaign}/${label.split(".")[0]}`)) ?? name;
}

function choose(place, part, value) {
  const chosen = wanted.map((side) => ({ ...side }));
  chosen[place][part] = value;
  change(chosen, figure);
}

async function change(chosen, asked) {
  wanted = chosen;
  if (!await show(asked, [])) return;
  const [a, b] = sides.map(({ side }) => addressOf(side));
  history.pushState(null, "", queryOf([["a", a], ["b", b], ["figure", figure === SHARE ? "" : figure]]));
}

// Shows what is wanted; whether it did, and not a later answer.
async function show(asked, problems) {
  const mine = ++run;
  say("Reading the figures …");
  try {
    const read = await Promise.all(wanted.map((side) => readCycle(side.cycle, root)));
    if (mine !== run) return false;
    sides = read.map((cycle, place) => ({ cycle, side: fitted(wanted[place], cycle, problems) }));
    wanted = sides.map(({ side }) => side);
    figure = Object.hasOwn(words.figures, asked) ? asked : SHARE;
    if (figure !== asked) problems.push(`there is no figure “${asked}”`);
    draw();
    byId("problems").hidden = !problems.length;
    byId("problems").replaceChildren(...problems.map((problem) => make("p", {}, `Not used: ${problem}.`)));
    return true;
  } catch (error) {
    if (mine !== run) return false;
    byId("result").replaceChildren();
    say(`The figures could not be shown: ${reasonOf(error)}.`);
    return false;
  }
}

function draw() {
  NAMES.forEach((name, place) => drawSide(name, sides[place]));
  const whole = sides.some(({ side }) => !side.pair), both = sides.every(({ side }) => !side.pair);
  // A pair beside a whole setting is shown as two settings.
  const shown = whole ? sides.map(({ cycle, side }) => ({ cycle, side: { ...side, pair: "" } })) : sides;
  byId("figure-choice").hidden = !whole;
  setOptions(byId("figure"), Object.entries(words.figures).map(([key, { name }]) => [key, name]), figure);
  const tables = whole ? settingTables(shown, figure, words, root) : pairTables(shown, words);
  byId("result").replaceChildren(...tables);
  drawMethod();
  const few = shown.flatMap(({ cycle, side }) => rowsOf(cycle, side)).some((row) => row.n > 0 && row.n < 6);
  byId("few").hidden = !few;
  const mixed = whole && !both ? " Only one side is a pair: both settings are shown." : "";
  say(`Shown: ${sides.map(titleOf).join(", beside ")}.${mixed}`);
}

function drawSide(name, { cycle, side }) {
  const { setting, pair } = side, settings = cycle.summary.settings;
  byId(`${name}-cycle`).value = side.cycle;
  setOptions(byId(`${name}-setting`), settings.map((one) => [one.name, settingTitle(cycle, one.name)]), setting);
  const pairs = pairsOf(cycle, setting).map((one) => [one, pairTitle(cycle, one)]);
  setOptions(byId(`${name}-pair`), [["", "all pairs: the whole setting"], ...pairs], pair);
  const link = settings.find((one) => one.name === setting).link;
  const pages = pagesOf(cycle, side).flatMap((link, place) => place ? [" · ", link] : [link]);
  byId(`${name}-pages`).replaceChildren(`${link}. `, ...pages);
}

// Links to the pages of a side, each with its name.
function pagesOf(cycle, { setting, pair }) {
  const found = [
    [cycle.pages, `Cycle ${cycle.name.replace("/", " ")}`],
    [pageOf(cycle, setting, ""), settingTitle(cycle, setting)],
  ];
  if (pair) found.push([pageOf(cycle, setting, pair), pairTitle(cycle, pair)]);
  return found.filter(([address]) => address).map(([address, title]) =>
    make("a", { href: new URL(address, root), "aria-label": `${title}, cycle ${cycle.name}` }, title));
}

function titleOf({ cycle, side }) {
  const title = side.pair ? pairTitle(cycle, side.pair) : "all pairs";
  return `${title}, ${settingTitle(cycle, side.setting)}, cycle ${cycle.name}`;
}

function drawMethod() {
  const [a, b] = sides, place = byId("method");
  const found = differences(a.cycle.summary, a.side.setting, b.cycle.summary, b.side.setting);
  const kinds = Object.entries(found).filter(([, list]) => list.length);
  place.hidden = !kinds.length;
  const items = kinds.flatMap(([kind, list]) =>
    list.map(({ key, one, other }) => make("li", {}, `${kind}: ${key}: A ${one}, B ${other}`)));
  const lead = found.method.length ? "They were measured in different ways, so a difference may come from that:"
    : "They were measured in the same way, except the code or the host:";
  place.className = found.method.length ? "note strong" : "note";
  place.replaceChildren(make("p", {}, lead), make("ul", { class: "list" }, ...items));
}

function say(text) {
  byId("status").textContent = text;
}

if (location.protocol === "file:") say(FROM_A_FOLDER);
else start().catch((error) => say(`The page cannot work: ${reasonOf(error)}.`));
