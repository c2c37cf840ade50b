// What the archive of a chart holds, in words: the chart, where it is from, its licence and how to cite it.

const LICENCE = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/";

/** The text of README.txt. `svg` is the chart, whose label says what it shows; `files` are the names of the others. */
export function readme(svg, files) {
  const bare = svg.replace(/<style>.*?<\/style>/s, ""); // the policy of the page forbids to parse a style
  const shown = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement.getAttribute("aria-label");
  const cite = document.querySelector("#cite"), words = (part) => cite.querySelector(part).textContent.trim();
  return [
    document.querySelector("h1").textContent.trim(), "",
    shown, "",
    ...(cite ? [`Cycle: ${cite.dataset.cycle}`] : []),
    `Address: ${document.querySelector("link[rel=canonical]")?.href ?? location.href}`,
    `Licence: ${LICENCE}`, "",
    "Files:", ...files.map((file) => `  ${file}`), "",
    ...(cite ? ["Cite as:", "", words("p").replace(/\s+/g, " "), "", words("pre"), ""] : []),
  ].join("\n");
}
