// Finds the entries of the search index that have all words, or if there are none, some of them.

const TITLE = 4, START = 2;

// Lower case without accents.
export function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function wordsOf(text) {
  return folded(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

// The entries with the words of their title, and of what else is found.
export function prepared(entries) {
  return entries.map((entry) => {
    const text = `${entry.note ?? ""} ${entry.text ?? ""}`;
    return { ...entry, ofTitle: wordsOf(entry.title), ofText: wordsOf(text) };
  });
}

// { found, all }: the entries, the best first, and whether they have all words of the question.
export function search(entries, question) {
  const wanted = wordsOf(question);
  if (!wanted.length) return { found: [], all: true };
  const scored = entries.map((entry) => ({ entry, scores: wanted.map((word) => scoreOf(word, entry)) }));
  const whole = scored.filter(({ scores }) => scores.every(Boolean));
  const some = whole.length ? whole : scored.filter(({ scores }) => scores.some(Boolean));
  const sum = ({ scores }) => scores.reduce((one, other) => one + other, 0);
  // The sort is stable: equal entries keep the order of the index, which has services before pairs.
  const value = (one) => sum(one) - one.entry.ofTitle.length / 100;
  const found = some.sort((one, other) => value(other) - value(one)).map(({ entry }) => entry);
  return { found, all: whole.length > 0 };
}

// A word of the title counts more than one of the text, and a whole word more than its beginning.
function scoreOf(word, { ofTitle, ofText }) {
  const best = (words) => words.includes(word) ? START : words.some((one) => one.startsWith(word)) ? 1 : 0;
  return TITLE * best(ofTitle) || best(ofText);
}
