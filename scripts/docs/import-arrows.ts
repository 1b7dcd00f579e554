/** The imports between the parts of `src/`: rooms, and folders of the viewer. */
import { importsOf, roomOf, sourceFiles, viewerFolderOf } from '../structure.ts';

/** From each part to the parts that it imports. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the imports between rooms. */
export const roomArrows = (srcDir: string): Arrows => arrowsOf(srcDir, roomOf);

/**
 * Returns the imports between folders of the viewer.
 * @param folderOf returns the folder of a file, given its path from `src/` on
 */
export const viewerArrows = (srcDir: string, folderOf: (path: string) => string = viewerFolderOf): Arrows =>
  arrowsOf(srcDir, (path) => (roomOf(path) === 'viewer' ? folderOf(path) || 'main.tsx' : null));

function arrowsOf(srcDir: string, partOf: (path: string) => string | null): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const file of sourceFiles(srcDir)) {
    for (const { file: from, target } of importsOf(srcDir, file)) {
      const [a, b] = [partOf(from), target === null ? null : partOf(target)];
      if (a === null || b === null || a === b) continue;
      arrows.set(a, (arrows.get(a) ?? new Set()).add(b));
    }
  }
  return arrows;
}

/** Returns every pair of parts that import each other. */
export const circlesOf = (arrows: Arrows): [string, string][] =>
  [...arrows].flatMap(([from, targets]) =>
    [...targets].filter((to) => from < to && arrows.get(to)?.has(from)).map((to): [string, string] => [from, to]),
  );

/**
 * Returns the arrows without those that follow from others: if a imports b and b imports c, an arrow from a to c adds no
 * information. Arrows of a circle stay, and nothing follows from them.
 */
export function essentialArrows(arrows: Arrows): Arrows {
  const circles = circlesOf(arrows);
  const isInCircle = (from: string, to: string): boolean => circles.some((pair) => pair.includes(from) && pair.includes(to));
  const straight = new Map(
    [...arrows].map(([from, targets]) => [from, new Set([...targets].filter((to) => !isInCircle(from, to)))]),
  );
  const isNew = (from: string, to: string): boolean =>
    isInCircle(from, to) || ![...(straight.get(from) ?? [])].some((other) => other !== to && reaches(straight, other, to));
  return new Map([...arrows].map(([from, targets]) => [from, new Set([...targets].filter((to) => isNew(from, to)))]));
}

/** Returns whether one part imports another, directly or through other parts. */
function reaches(arrows: Arrows, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part === to) return true;
    if (seen.has(part)) continue;
    seen.add(part);
    open.push(...(arrows.get(part) ?? []));
  }
  return false;
}
