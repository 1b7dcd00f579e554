/** Expressions that plain English for engineers does without, each with what to write instead. */

import type { Text } from './texts.ts';

export interface WordPattern {
  /** The key of its counts in `allowed.json`. */
  name: string;
  pattern: RegExp;
  /** What to write instead. */
  instead: string;
  /** The texts that the pattern is looked for in; in all of them if it is left out. */
  only?: readonly Text['kind'][];
}

export const WORD_PATTERNS: readonly WordPattern[] = [
  {
    name: 'says',
    pattern: /\b(?:says?|said|saying|tells?|told|telling)\b/gi,
    instead: 'reports, returns, shows, prints, logs',
  },
  {
    name: 'nobody',
    pattern: /\b(?:nobody|somebody|anybody|everybody|whoever|whomever)\b/gi,
    instead: 'the role: caller, client, operator, owner, viewer, person; or no one',
  },
  {
    name: 'is none',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) (?:none\b|no (?!one\b|more\b|longer\b|other\b|less\b)[a-z]+)/gi,
    instead: 'is not a, does not count as, does not exist, is missing',
  },
  {
    name: 'for as because',
    pattern: /, for (?:it|they|there|he|she|we|you|nobody) [a-z]+/gi,
    instead: 'because',
  },
  { name: 'go on', pattern: /\b(?:go|goes|going|went|gone)\s+on\b/gi, instead: 'continue, resume' },
  { name: 'anew', pattern: /\banew\b/gi, instead: 'again, from scratch, new' },
  {
    name: 'that there is',
    pattern: /\b(?:that|what|where|which) there (?:is|are|was)(?: (?:not|none))?(?=[ ,.;:)])/gi,
    instead: 'existing, missing, unknown; or name the thing',
  },
  { name: 'put out', pattern: /\b(?:puts?|putting) (?:it |them |him |her )?out\b/gi, instead: 'displace, disconnect, evict' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix, repair' },
  { name: 'in truth', pattern: /\b(?:truly|in truth|believed)\b/gi, instead: 'correct, verified, measured' },
  { name: 'by itself', pattern: /\bby (?:itself|themselves)\b/gi, instead: 'automatically' },
  {
    name: 'along',
    pattern: /\b(?:takes?|taking|taken|brings?|comes?) (?:[a-z]+ )?along\b/gi,
    instead: 'carries, includes, inherits',
  },
  {
    name: 'history',
    pattern: /\b(?:no longer|used to be|formerly)\b/gi,
    instead: 'how it is; history belongs into the commit',
    only: ['comment', 'markdown'],
  },
  { name: 'own terms', pattern: /\b(?:desks?|seats?)\b/gi, instead: 'the usual term: queue, session owner, slot' },
  {
    name: 'opens with who',
    pattern: /(?<=^\s*)\b(?:What|Who|Whose|Whoever) (?!.*\?)/g,
    instead: 'a verb or a noun: Returns…, The caller…',
    only: ['comment'],
  },
  {
    name: 'long line',
    pattern: /^(?!\||\s*(?:- )?\[|\s*<).{121,}$/gm,
    instead: 'lines of at most 120 columns',
    only: ['markdown'],
  },
];
