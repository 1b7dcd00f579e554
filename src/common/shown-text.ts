/**
 * Makes names and ids that others chose safe for sentences. A name may contain characters that reverse the rest of a line
 * (U+202E), that are invisible, or that pile up; beside our words it must neither change nor hide them.
 */

/** Replaces a character that is not shown. */
const HIDDEN = '\ufffd';
const NAME_MAX_LENGTH = 80;
const ID_MAX_LENGTH = 128;
/** Marks over and under one letter; no script of the world needs more. */
const MARKS_TOWER = /(\p{M}{4})\p{M}+/gu;
/** Characters that belong to an emoji or a letter of a joined script: U+FE0F, U+200D and U+200C are harmless there. */
const JOINED =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=\p{L})/gu;
/** Controls, line ends, characters that reverse text or are invisible. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const FROM_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
/** Far more characters than a sentence has. */
const LINE_MAX_LENGTH = 4_096;
/** Keeps the text between them from reversing the text around them. */
const [ISOLATE, ISOLATE_END] = ['\u2068', '\u2069'];
const ISOLATES = /([\u2068\u2069])/;

/** Returns our own names as a sentence lists them; "none" for an empty list. */
export const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** Returns a foreign id for a sentence that quotes it: spaces stay, and invisible characters are made visible. */
export const shownId = (id: string): string => isolated(clipped(bare(id.slice(0, 4 * ID_MAX_LENGTH)), ID_MAX_LENGTH));

/** Returns a name on one line. */
export function shownName(name: string): string {
  // Far more than is shown, and few enough to process.
  const cleaned = bare(name.slice(0, 16 * NAME_MAX_LENGTH).replace(/[\p{Zs}\t\r\n]+/gu, ' ')).trim();
  if (cleaned === '') return 'without a name';
  return isolated(clipped(cleaned, NAME_MAX_LENGTH));
}

/** Returns foreign text of any kind, such as a path or the sentence of a server, on one line. */
export const shownLine = (text: string): string =>
  isolated(clipped(bare(text.slice(0, 2 * LINE_MAX_LENGTH).replace(/[\t\r\n]+/g, ' ')), LINE_MAX_LENGTH));

/** Returns text of several lines for a terminal, without characters that the terminal would obey. Our isolates stay. */
export const shownText = (text: string): string =>
  text
    .replaceAll('\t', '  ')
    .split(/\r?\n/)
    .map((line) =>
      line
        .split(ISOLATES)
        .map((part) => (ISOLATES.test(part) ? part : bare(part)))
        .join(''),
    )
    .join('\n');

/**
 * Returns a value as one line of JSON without characters that a terminal would obey: characters that are not shown are escaped,
 * so no value changes.
 */
export const shownJson = (value: unknown, replacer?: (name: string, value: unknown) => unknown): string =>
  JSON.stringify(value, replacer).replace(UNSHOWN, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/**
 * Puts a shown name or id into a sentence. A participant may choose any name, also "this page", in letters of other scripts that
 * look the same, and any words as an id. Our own words at such a place are always several, so a name of several words is quoted.
 */
export const quoted = (shown: string): string => (/[\s“”"()·]/.test(shown) ? `“${shown.replace(/[“”"]/g, "'")}”` : shown);

const isolated = (shown: string): string => (FROM_RIGHT.test(shown) ? `${ISOLATE}${shown}${ISOLATE_END}` : shown);

/** @returns the text without characters that must not be shown */
function bare(text: string): string {
  let shown = '';
  let from = 0;
  for (const { 0: joined, index } of text.matchAll(JOINED)) {
    shown += text.slice(from, index).replace(UNSHOWN, HIDDEN) + joined;
    from = index + joined.length;
  }
  return (shown + text.slice(from).replace(UNSHOWN, HIDDEN)).replace(MARKS_TOWER, '$1');
}

/** Returns the beginning of a text, at most this many characters, the last of them an ellipsis. */
export function clipped(text: string, maxLength: number): string {
  // A character has at most two units. One more than fits shows that the text is longer; the rest is not processed.
  const signs = [...text.slice(0, 2 * maxLength + 2)];
  return signs.length <= maxLength ? text : `${signs.slice(0, maxLength - 1).join('')}…`;
}
