// The rows of trial_series as lines of at most 600 points, as scripts/charts/timeline.py makes them.

const MOST_POINTS = 600;
const SLOTS_PER_SECOND = 10;

// One line for each client: { client, points: [{ time, throughput, queue }] }, and the end of the trial in seconds.
// Null stands for an unknown mean.
export function linesOf(rows, clients) {
  const slots = rows.reduce((most, row) => Math.max(most, slotOf(row) + 1), 0);
  // The slots of a point: 1, or as many whole seconds as keep a line within MOST_POINTS.
  const seconds = Math.ceil(slots / (MOST_POINTS * SLOTS_PER_SECOND));
  const group = slots <= MOST_POINTS ? 1 : SLOTS_PER_SECOND * seconds;
  const lines = clients.map((client) => ({
    client,
    points: pointsOf(rows.filter((row) => row.client === client), group),
  }));
  return { lines, end: slots / SLOTS_PER_SECOND };
}

// The mean of the known values, or null if there are none.
export function mean(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

function slotOf(row) {
  return Math.round(row.time_s * SLOTS_PER_SECOND);
}

function pointsOf(rows, group) {
  const groups = new Map();
  for (const row of rows) {
    const place = Math.floor(slotOf(row) / group);
    if (!groups.has(place)) groups.set(place, []);
    groups.get(place).push(row);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([place, slots]) => ({
    time: (place * group) / SLOTS_PER_SECOND,
    throughput: mean(slots.map((row) => row.throughput_mbps)),
    queue: mean(slots.map((row) => row.backlog_packets_mean)),
  }));
}
