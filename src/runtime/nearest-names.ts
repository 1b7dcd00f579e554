/** Number of single-character edits between two texts (Levenshtein's recurrence, one row kept). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The names most like the one asked for, best first; equally near ones keep the order in which they came. */
export function nearestNames(asked: string, names: readonly string[], count = 3): string[] {
  const wanted = asked.slice(0, 64).toLowerCase();
  return names
    .map((name, index) => ({ name, index, distance: editDistance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, count)
    .map(({ name }) => name);
}
