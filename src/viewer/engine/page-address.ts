import { MAX_SEED } from '../../protocol/limits.ts';
import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/profile.ts';
import { DEFAULT_ROBOT_ID, ROBOT_IDS } from '../../protocol/robot.ts';
import { SCENE_IDS, START_SCENE_ID } from '../../protocol/scene-ids.ts';
import { quoted, shownId } from '../../protocol/shown-text.ts';
import { addressChoice } from './address-choice.ts';
import { asksFor } from './asks-for.ts';

/** What a page's address asks for: a robot of this tab, which robot, scene, contract and task. A mark writes it into an address. */

/** Opens the robot in this tab only. */
const LOCAL = 'try';
const SCENE = 'scene';
const TASK = 'task';
const PROOF = 'proof';

type FileParameter = typeof SCENE | typeof TASK | typeof PROOF;

/** Tells whether this address asks for a robot in this tab only: `?try`, with any value but 0. */
export const asksForLocal = (href: string): boolean => asksFor(href, LOCAL);

/**
 * Returns the address with or without the mark, so that a reload brings back the robot, or the gate. The rest of the address is
 * unchanged.
 */
export function markLocal(href: string, local: boolean): string {
  const url = new URL(href);
  if (local === asksForLocal(href)) return href;
  if (local) url.searchParams.set(LOCAL, '1');
  else url.searchParams.delete(LOCAL);
  return url.href;
}

/** `?robot=picker`: which robot the page is. */
export const { read: readRobot, mistake: robotMistake, mark: markRobot } = addressChoice('robot', ROBOT_IDS, DEFAULT_ROBOT_ID);

const sceneChoice = addressChoice(SCENE, SCENE_IDS, START_SCENE_ID);

/** `?scene=hall`: the scene that a fresh robot starts in; the usual one where the address of a file stands there. */
export const { read: readScene, mark: markScene } = sceneChoice;

/** An id has no such sign. */
const looksLikeAddress = (text: string): boolean => /[/.:]/.test(text);

/** Reads the address of a scene file: `?scene=https://example.org/yard.json`, or one of this page's own site; null for anything else. */
export const readSceneAddress = (href: string): string | null => readFileAddress(href, SCENE);

/** Reads the address of a task file, as that of a scene file. */
export const readTaskAddress = (href: string): string | null => readFileAddress(href, TASK);

/** Reads the address of a proof: `replay.html?proof=https://example.org/run.json`, as that of a scene file. */
export const readProofAddress = (href: string): string | null => readFileAddress(href, PROOF);

function readFileAddress(href: string, parameter: FileParameter): string | null {
  const asked = new URL(href).searchParams.get(parameter);
  if (asked === null || !looksLikeAddress(asked) || !URL.canParse(asked, href)) return null;
  const address = new URL(asked, href);
  return isOpened(address, new URL(href).origin) ? address.href : null;
}

/** Tells whether a file is opened from there: from this page's own site, or from any over https. */
export const isOpened = ({ protocol, origin }: URL, own: string): boolean => protocol === 'https:' || origin === own;

/** Says that there is not the scene that the address asks for; null when nothing is wrong. */
export function sceneMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(SCENE);
  if (asked === null || !looksLikeAddress(asked)) return sceneChoice.mistake(href);
  return addressMistake(href, SCENE, asked);
}

/** Says that a task is not opened from the address that stands there; null when nothing is wrong with it, or it is an id. */
export function taskAddressMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(TASK);
  return asked === null || !looksLikeAddress(asked) ? null : addressMistake(href, TASK, asked);
}

/** Returns why the proof in the address is not opened; null when nothing is wrong with it. */
export function proofAddressMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(PROOF);
  return asked === null ? null : addressMistake(href, PROOF, asked);
}

const addressMistake = (href: string, parameter: FileParameter, asked: string): string | null =>
  readFileAddress(href, parameter) !== null
    ? null
    : `The ${parameter} ${quoted(shownId(asked))} is not opened: the address of a ${parameter} file begins with https, or is of the site of this page.`;

/** Which contract a robot keeps, and how strictly. */
export interface ChosenContract {
  profile: RuntimeProfile;
  /** For the `rcw` profile: whether calls that move the body are refused unless they are signed. */
  signedControlRequired: boolean;
}

/** The contract that a page's address asks for. */
export type AskedContract = Omit<ChosenContract, 'profile'> & {
  /** Null when the address does not say. Then a key's identity decides, and a robot without a room is the simulator. */
  profile: RuntimeProfile | null;
};

/**
 * Reads `?profile=worker` and, for development, `&signed=off` from a page's address. An unknown profile is ignored: a typing
 * error must not remove the stop at the end of a drive.
 */
export function readContract(href: string): AskedContract {
  const { searchParams } = new URL(href);
  const profile = searchParams.get('profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : null,
    signedControlRequired: searchParams.get('signed') !== 'off',
  };
}

/** `?try=1&seed=7`: the seed of the first world of a robot of this tab; null unless it is a whole number that a world can have. */
export function readSeed(href: string): number | null {
  const asked = new URL(href).searchParams.get('seed') ?? '';
  return /^\d{1,10}$/.test(asked) && Number(asked) <= MAX_SEED ? Number(asked) : null;
}

/** `?try=1&task=hall-both-reds`: the task of the robot of this tab, by its id or the address of its file. */
export const readTaskId = (href: string): string | null => new URL(href).searchParams.get(TASK) || null;

/** Returns the address with this task, or without one; the rest is unchanged. */
export function markTask(href: string, id: string | null): string {
  if (readTaskId(href) === id) return href;
  const url = new URL(href);
  if (id === null) url.searchParams.delete(TASK);
  else url.searchParams.set(TASK, id);
  return url.href;
}
