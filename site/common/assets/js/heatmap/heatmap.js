// Arrow keys move between the cells of a matrix. One cell of each is then a stop of the Tab key: the last one visited.
// Without this script every cell is a stop.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function linksOf(table) {
  return Array.from(table.tBodies[0].rows, (row) => Array.from(row.cells, (cell) => cell.querySelector("a")).slice(1));
}

function placeOf(links, link) {
  const row = links.findIndex((each) => each.includes(link));
  return [row, links[row].indexOf(link)];
}

/** The next link in a direction; null at the edge. Cells without a link are passed over. */
function next(links, [row, column], [down, right]) {
  do {
    row += down;
    column += right;
  } while (links[row] && column in links[row] && !links[row][column]);
  return links[row]?.[column] ?? null;
}

function target(links, place, key) {
  const ofRow = links[place[0]].filter(Boolean);
  if (key === "Home") return ofRow[0];
  if (key === "End") return ofRow[ofRow.length - 1];
  return STEPS[key] ? next(links, place, STEPS[key]) : null;
}

function makeOnlyStop(links, stop) {
  for (const link of links.flat()) if (link) link.tabIndex = link === stop ? 0 : -1;
}

for (const table of document.querySelectorAll("table.roving")) {
  const links = linksOf(table);
  makeOnlyStop(links, links.flat().find(Boolean));
  table.addEventListener("keydown", (event) => {
    const here = event.target.closest("td a");
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    const found = target(links, placeOf(links, here), event.key);
    if (!found) return;
    event.preventDefault();
    found.focus();
  });
  table.addEventListener("focusin", (event) => {
    const here = event.target.closest("td a");
    if (here) makeOnlyStop(links, here);
  });
}
