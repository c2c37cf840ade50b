// Buttons for what the browser makes of a chart: its PNG, and a ZIP archive of its files with a README.

import { make } from "../elements.js";
import { save } from "../save.js";
import { png } from "./picture.js";
import { readme } from "./readme.js";
import { zip } from "./zip.js";

async function bytesOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The archive of a chart, by its name and the addresses of its files. */
async function archive(name, { svg, csv }) {
  const drawn = await bytesOf(svg);
  const files = [[`${name}.svg`, drawn], [`${name}.png`, new Uint8Array(await (await png(svg)).arrayBuffer())]];
  if (csv) files.push([`${name}.csv`, await bytesOf(csv)]);
  const words = readme(new TextDecoder().decode(drawn), files.map(([file]) => file));
  const all = [["README.txt", new TextEncoder().encode(words)], ...files];
  return zip(all.map(([file, bytes]) => [`${name}/${file}`, bytes]));
}

function button(words, name, status, made) {
  const onclick = async () => {
    status.textContent = "";
    try {
      save(await made(), `${name}.${words.toLowerCase()}`);
    } catch (error) {
      status.textContent = `The ${words} could not be made: ${error.message}`;
    }
  };
  return make("button", { type: "button", onclick }, words);
}

function addButtons(links) {
  const name = links.dataset.chart, status = make("span", { role: "status" });
  const files = Object.fromEntries([...links.querySelectorAll("a")].map((link) => [link.dataset.form, link.href]));
  links.append(
    button("PNG", name, status, () => png(files.svg)), " ",
    button("ZIP", name, status, () => archive(name, files)), " ", status,
  );
}

// A page that was opened from a folder may read no files.
if (location.protocol !== "file:") document.querySelectorAll("[data-chart]").forEach(addButtons);
