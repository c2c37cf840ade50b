// Making elements of a page. No markup is parsed, so that no text can become an element.

// An element with attributes and children. A null attribute is left out; an `on…` attribute is a listener.
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// The options of a select: `choices` are [value, words].
export function setOptions(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, words]) => make("option", { value }, words)));
  select.value = chosen;
}

export function byId(id) {
  return document.getElementById(id);
}
