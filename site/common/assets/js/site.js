// The addresses of the site, and reading its JSON files.

export const FROM_A_FOLDER = "This page was opened from a folder, where browsers cannot read other files. " +
  "Serve the site (make serve) to use it.";

// The root of the site, which the page names.
export function rootOf(element) {
  return new URL(element.dataset.root, document.baseURI);
}

// The content of a JSON file. Throws an Error with a reason for readers.
export async function readJson(address) {
  let answer;
  try {
    answer = await fetch(address);
  } catch {
    throw new Error(`${address} could not be reached`);
  }
  if (!answer.ok) throw new Error(`${address} is not there (status ${answer.status})`);
  try {
    return await answer.json();
  } catch {
    throw new Error(`${address} is not valid JSON`);
  }
}

// The folder of a cycle's pages. A later revision of a cycle is called <cycle>.r2.
export function pagesOf(campaign, cycle) {
  const [name, revision] = cycle.split(/\.(?=r\d+$)/);
  return `cycles/${campaign}/${name}/${revision ? `${revision}/` : ""}`;
}

// A query string in which addresses stay readable. Empty values are left out.
export function queryOf(entries) {
  const known = entries.filter(([, value]) => value !== null && value !== "");
  const parts = known.map(([key, value]) => `${key}=${readable(value)}`);
  return parts.length ? `?${parts.join("&")}` : location.pathname;
}

// Why something could not be read, in words. Browsers call a network that fails a TypeError.
export function reasonOf(error) {
  return error.name === "TypeError" && /fetch/i.test(error.message) ? "the server could not be reached" : error.message;
}

// The size of what was read.
export function sizeOf(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function readable(value) {
  return encodeURIComponent(value).replace(/%(2F|2C|3A)/g, (code) => decodeURIComponent(code)).replaceAll("%20", "+");
}
