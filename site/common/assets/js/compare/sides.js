// The two sides of a comparison: `<campaign>/<cycle>/<setting>`, and `/<pair>` for a pair or a service alone.

// { cycle, setting, pair } of an address; pair is empty for a whole setting.
export function sideOf(text) {
  const [campaign, cycle, setting = "", pair = ""] = text.split("/");
  return { cycle: cycle ? `${campaign}/${cycle}` : "", setting, pair };
}

export function addressOf({ cycle, setting, pair }) {
  return [cycle, setting, pair].filter(Boolean).join("/");
}

// A side that exists in its cycle, with what was wrong: a setting or pair that the cycle lacks is replaced.
export function fitted(side, cycle, problems) {
  const settings = cycle.summary.settings.map((setting) => setting.name);
  let { setting, pair } = side;
  if (!settings.includes(setting)) {
    if (setting) problems.push(`cycle ${side.cycle} has no setting “${setting}”`);
    setting = settings[0];
  }
  if (pair && !pairsOf(cycle, setting).includes(pair)) {
    problems.push(`cycle ${side.cycle} has no “${pair}” in ${setting}, so the whole setting is shown`);
    pair = "";
  }
  return { cycle: side.cycle, setting, pair };
}

// The pairs and solos of a setting, pairs first.
export function pairsOf(cycle, setting) {
  const names = new Set(cycle.rows.filter((row) => row.setting === setting).map((row) => row.pair));
  const solo = (name) => !name.includes("~");
  return [...names].sort((one, other) => solo(one) - solo(other) || (one < other ? -1 : 1));
}

// The rows of a side.
export function rowsOf(cycle, { setting, pair }) {
  return cycle.rows.filter((row) => row.setting === setting && (!pair || row.pair === pair));
}
