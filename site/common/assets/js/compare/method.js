// What differs in how two sides were measured, from the summaries of their cycles.

const HOST = ["kernel", "cpus"]; // as in scripts/site/root/differences.py: the load differs always

// { method, code, host }: what differs of each kind, as { key, one, other }.
export function differences(one, oneSetting, other, otherSetting) {
  return {
    method: different(methodOf(one, oneSetting), methodOf(other, otherSetting)),
    code: different({ commit: one.commit?.slice(0, 10) }, { commit: other.commit?.slice(0, 10) }),
    host: different(hostOf(one), hostOf(other)),
  };
}

// The keys of the method that concern a setting, which has the same name in both.
function methodOf(summary, setting) {
  const own = `settings.${setting}.`;
  return Object.fromEntries(Object.entries(summary.method)
    .filter(([key]) => !key.startsWith("settings.") || key.startsWith(own))
    .map(([key, value]) => [key.startsWith(own) ? `setting.${key.slice(own.length)}` : key, value]));
}

function hostOf(summary) {
  const fixed = Object.fromEntries(HOST.map((key) => [key, summary.host?.[key]]));
  const bottlenecks = (summary.bottlenecks ?? []).map((words) => words.replace(/ \(\d+ trials?\)$/, "")).sort();
  return { ...fixed, bottleneck: bottlenecks.join(", "), ...summary.programs };
}

function different(one, other) {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return keys.map((key) => ({ key, one: words(one[key]), other: words(other[key]) }))
    .filter((found) => found.one !== found.other);
}

function words(value) {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
