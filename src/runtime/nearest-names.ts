/** Something that a caller may have meant. */
export interface Named {
  name: string;
  /** Other words for it, in lower case: its kind, its colour. */
  words?: readonly string[];
}

/** The score of an asked word, by how it matches a word of the name or another word for it. */
const WORTH = { name: 4, startOfName: 3, word: 2, startOfWord: 1 } as const;
/** Shorter starts match too many words. */
const START_MIN_LENGTH = 2;
/** Ids and names are shorter; longer input is not a misspelt one. */
const ASKED_MAX_LENGTH = 64;

/** Returns the number of single-character edits between two texts (Levenshtein's recurrence, one row kept). */
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

/**
 * Returns the names most like the one asked for, best first: those that share words or starts of words with it, then those with
 * similar spelling. Equally near names keep their order.
 */
export function nearestNames(asked: string, candidates: readonly (string | Named)[], count = 3): string[] {
  const wanted = asked.slice(0, ASKED_MAX_LENGTH).toLowerCase();
  const wantedWords = wordsOf(wanted);
  const ranked = candidates
    .map((candidate, index) => {
      const { name, words = [] } = typeof candidate === 'string' ? { name: candidate } : candidate;
      const nameWords = wordsOf(name.toLowerCase());
      const met = wantedWords.map((word) => Math.max(worthOf(word, nameWords, 'name'), worthOf(word, words, 'word')));
      // A description is not a misspelt name, so its spelling is not compared.
      const isDescribed = met.some((worth) => worth === WORTH.word);
      const distance = isDescribed ? 0 : editDistance(wanted, name.toLowerCase());
      return { name, index, worth: met.reduce((sum, worth) => sum + worth, 0), distance };
    })
    .sort((a, b) => b.worth - a.worth || a.distance - b.distance || a.index - b.index);
  const likely = ranked.filter(({ worth }) => worth > 0);
  return (likely.length > 0 ? likely : ranked).slice(0, count).map(({ name }) => name);
}

/** Returns the skills of a catalogue with the words of their titles. */
export const namedSkills = (skills: Readonly<Record<string, { title: string }>>): Named[] =>
  Object.entries(skills).map(([name, { title }]) => ({ name, words: wordsOf(title.toLowerCase()).filter(isDistinctive) }));

/** Short words are in every title. */
const isDistinctive = (word: string): boolean => word.length > 2;
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

function worthOf(asked: string, words: readonly string[], kind: 'name' | 'word'): number {
  if (words.includes(asked)) return WORTH[kind];
  const starts = words.some((word) => startsWith(word, asked) || startsWith(asked, word));
  return starts ? (kind === 'name' ? WORTH.startOfName : WORTH.startOfWord) : 0;
}

/** Numbers match only as a whole: 1 is not the start of 12. */
const startsWith = (word: string, start: string): boolean =>
  start.length >= START_MIN_LENGTH && !/\d/.test(start) && word.startsWith(start);
