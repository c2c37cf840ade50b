// The rows of trial_series as lines, as scripts/charts/timeline.py makes them: every value, and means over seconds.

const MOST_MEANS = 600, MOST_VALUES = 600;
const SLOTS_PER_SECOND = 10;
const COLUMNS = { throughput: "throughput_mbps", queue: "backlog_packets_mean" };

// One line for each client, and the end of the trial in seconds. A line has, for throughput and queue,
// `every` value and the `means`, both as points [time, value]; null stands for an unknown value.
export function linesOf(rows, clients) {
  const slots = rows.reduce((most, row) => Math.max(most, slotOf(row) + 1), 0);
  const seconds = Math.ceil(slots / (MOST_MEANS * SLOTS_PER_SECOND)) || 1;
  const lines = clients.map((client) => {
    const own = rows.filter((row) => row.client === client).sort((one, other) => slotOf(one) - slotOf(other));
    const series = Object.entries(COLUMNS).map(([key, column]) => {
      const points = own.map((row) => [slotOf(row), row[column] ?? null]);
      return [key, { every: extremes(points, slots), means: means(points, seconds * SLOTS_PER_SECOND) }];
    });
    return { client, ...Object.fromEntries(series) };
  });
  return { lines, end: slots / SLOTS_PER_SECOND };
}

// The mean of the known values, or null if there are none.
function mean(values) {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

function slotOf(row) {
  return Math.round(row.time_s * SLOTS_PER_SECOND);
}

// The mean of each group of slots, at the middle of its time. The last group of a trial may be short.
function means(points, group) {
  return grouped(points, group).map((members) => [
    (members[0][0] + members.at(-1)[0] + 1) / 2 / SLOTS_PER_SECOND, mean(members.map(([, value]) => value)),
  ]);
}

// Every value; of more values than pixels, the lowest and the highest of each group, in order of time.
function extremes(points, slots) {
  const group = slots <= MOST_VALUES ? 1 : Math.ceil((2 * slots) / MOST_VALUES);
  return grouped(points, group).flatMap((members) => {
    const known = members.filter(([, value]) => value !== null).sort(([, one], [, other]) => one - other);
    const ends = known.length ? [...new Set([known[0], known.at(-1)])] : [members[0]];
    return ends.sort(([one], [other]) => one - other).map(([slot, value]) => [slot / SLOTS_PER_SECOND, value]);
  });
}

// The points of each group of slots, in order.
function grouped(points, group) {
  const groups = new Map();
  for (const point of points) {
    const place = Math.floor(point[0] / group);
    if (!groups.has(place)) groups.set(place, []);
    groups.get(place).push(point);
  }
  return [...groups.values()];
}
