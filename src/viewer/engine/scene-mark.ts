import { SCENE_IDS, START_SCENE_ID } from '../../protocol/scene-ids.ts';
import { quoted, shownId } from '../../protocol/shown-text.ts';
import { addressChoice } from './address-choice.ts';

const PARAMETER = 'scene';
const choice = addressChoice(PARAMETER, SCENE_IDS, START_SCENE_ID);

/** `?scene=hall`: the scene that a fresh robot starts in; the usual one where the address of a file stands there. */
export const { read: readScene, mark: markScene } = choice;

/** An id has no such sign. */
const looksLikeAddress = (text: string): boolean => /[/.:]/.test(text);

/** Reads the address of a scene file: `?scene=https://example.org/yard.json`, or one of this page's own site; null for anything else. */
export function readSceneAddress(href: string): string | null {
  const asked = new URL(href).searchParams.get(PARAMETER);
  if (asked === null || !looksLikeAddress(asked) || !URL.canParse(asked, href)) return null;
  const address = new URL(asked, href);
  return isOpened(address, new URL(href).origin) ? address.href : null;
}

/** Tells whether a scene is opened from there: from this page's own site, or from any over https. */
export const isOpened = ({ protocol, origin }: URL, own: string): boolean => protocol === 'https:' || origin === own;

/** Says that there is not the scene that the address asks for; null when nothing is wrong. */
export function sceneMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(PARAMETER);
  if (asked === null || !looksLikeAddress(asked)) return choice.mistake(href);
  if (readSceneAddress(href) !== null) return null;
  return `The scene ${quoted(shownId(asked))} is not opened: the address of a scene file begins with https, or is of the site of this page.`;
}
