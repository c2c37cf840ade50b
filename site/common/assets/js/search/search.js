// The page that searches services, pairs, settings, cycles, and the pages and their headings.

import { byId, make } from "../elements.js";
import { FROM_A_FOLDER, queryOf, readJson, reasonOf, rootOf } from "../site.js";
import { prepared, search } from "./matching.js";

const MOST = 50;
const box = byId("q"), root = rootOf(byId("search"));

async function start() {
  const entries = prepared(await readJson(new URL("search/index.json", root)));
  const show = () => draw(entries, box.value);
  const restore = () => {
    box.value = new URLSearchParams(location.search).get("q") ?? "";
    show();
  };
  box.addEventListener("input", () => {
    history.replaceState(null, "", queryOf([["q", box.value]]));
    show();
  });
  window.addEventListener("popstate", restore);
  byId("search").hidden = false;
  restore();
}

function draw(entries, question) {
  const { found, all } = search(entries, question);
  byId("found").replaceChildren(...found.slice(0, MOST).map(itemOf));
  byId("status").textContent = words(question, found.length, all);
}

function words(question, count, all) {
  if (!question.trim()) return "";
  if (!count) return `Nothing is called “${question}”.`;
  const shown = count > MOST ? ` The first ${MOST} are shown.` : "";
  const some = all ? "" : " No entry has all words; these have some.";
  return `${count.toLocaleString("en")} ${count === 1 ? "entry" : "entries"}.${some}${shown}`;
}

function itemOf({ kind, title, address, note }) {
  const link = make("a", { href: new URL(address, root) }, title);
  return make("li", {}, link, " ", make("small", {}, `${kind}${note ? `: ${note}` : ""}`));
}

if (location.protocol === "file:") byId("status").textContent = FROM_A_FOLDER;
else start().catch((error) => { byId("status").textContent = `The search cannot work: ${reasonOf(error)}.`; });
