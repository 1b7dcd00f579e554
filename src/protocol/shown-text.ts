/**
 * Names and ids that others chose, as sentences can bear them. A name may hold signs that turn the rest of a line round (U+202E), that nobody
 * sees, or that pile up; beside words of ours it must neither change nor hide them.
 */

/** Stands for a sign that is not shown. */
const HIDDEN = '\ufffd';
const NAME_MAX_LENGTH = 80;
const ID_MAX_LENGTH = 128;
/** Marks over and under one letter; the scripts of the world need no more. */
const MARKS_TOWER = /(\p{M}{4})\p{M}+/gu;
/** What belongs to an emoji or a letter of a script that is joined: U+FE0F, U+200D and U+200C there are no trick. */
const JOINED =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=\p{L})/gu;
/** Controls, ends of lines, signs that turn text or that nobody sees. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const FROM_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
/** Keeps what is between them from turning what is around them. */
const [ISOLATE, ISOLATE_END] = ['\u2068', '\u2069'];

/** An id as it was given, for a sentence that quotes it: spaces stay, what cannot be seen is seen to be there. */
export const shownId = (id: string): string => isolated(clipped(bare(id.slice(0, 4 * ID_MAX_LENGTH)), ID_MAX_LENGTH));

/** A name on one line. */
export function shownName(name: string): string {
  // Far more than is shown, and little enough to look at.
  const words = bare(name.slice(0, 16 * NAME_MAX_LENGTH).replace(/[\p{Zs}\t\r\n]+/gu, ' ')).trim();
  if (words === '') return 'without a name';
  return isolated(clipped(words, NAME_MAX_LENGTH));
}

/**
 * A shown name or id in the middle of a sentence. Anybody may take any name, "this page" too, in letters of other scripts that look the
 * same, and any words for an id. All words of ours that stand in such a place are several, so what has several words stands in quotes.
 */
export const quoted = (shown: string): string => (/[\s“”"()·]/.test(shown) ? `“${shown.replace(/[“”"]/g, "'")}”` : shown);

const isolated = (shown: string): string => (FROM_RIGHT.test(shown) ? `${ISOLATE}${shown}${ISOLATE_END}` : shown);

/** @returns the text without what is not to be seen */
function bare(text: string): string {
  let shown = '';
  let from = 0;
  for (const { 0: joined, index } of text.matchAll(JOINED)) {
    shown += text.slice(from, index).replace(UNSHOWN, HIDDEN) + joined;
    from = index + joined.length;
  }
  return (shown + text.slice(from).replace(UNSHOWN, HIDDEN)).replace(MARKS_TOWER, '$1');
}

function clipped(text: string, maxLength: number): string {
  const signs = [...text];
  return signs.length <= maxLength ? text : `${signs.slice(0, maxLength - 1).join('')}…`;
}
