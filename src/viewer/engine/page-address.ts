import { MAX_SEED } from '../../protocol/limits.ts';
import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/profile.ts';
import { DEFAULT_ROBOT_ID, ROBOT_IDS } from '../../protocol/robot.ts';
import { SCENE_IDS, START_SCENE_ID } from '../../protocol/scene-ids.ts';
import { quoted, shownId } from '../../protocol/shown-text.ts';
import { addressChoice } from './address-choice.ts';
import { asksFor } from './asks-for.ts';

/**
 * The choices in a page's address: whether the robot is this tab's own, its model, scene, contract and task; and functions that
 * write them.
 */

/** The parameter that opens the robot in this tab only. */
const LOCAL = 'try';
const SCENE = 'scene';
const TASK = 'task';
const PROOF = 'proof';

type FileParameter = typeof SCENE | typeof TASK | typeof PROOF;

/** Returns whether this address asks for a robot in this tab only: `?try`, with any value but 0. */
export const asksForLocal = (href: string): boolean => asksFor(href, LOCAL);

/**
 * Returns the address with or without the parameter, so that a reload opens the robot or the gate again. The rest of the address
 * is unchanged.
 */
export function markLocal(href: string, local: boolean): string {
  const url = new URL(href);
  if (local === asksForLocal(href)) return href;
  if (local) url.searchParams.set(LOCAL, '1');
  else url.searchParams.delete(LOCAL);
  return url.href;
}

/** `?robot=picker`: the robot model of the page. */
export const { read: readRobot, mistake: robotMistake, mark: markRobot } = addressChoice('robot', ROBOT_IDS, DEFAULT_ROBOT_ID);

const sceneChoice = addressChoice(SCENE, SCENE_IDS, START_SCENE_ID);

/** `?scene=hall`: the scene in which a new robot starts; the default scene if the parameter contains the address of a file. */
export const { read: readScene, mark: markScene } = sceneChoice;

/** An id contains none of these characters. */
const looksLikeAddress = (text: string): boolean => /[/.:]/.test(text);

/**
 * Reads the address of a scene file: `?scene=https://example.org/yard.json`, or a file of this page's own site; null for anything
 * else.
 */
export const readSceneAddress = (href: string): string | null => readFileAddress(href, SCENE);

/** Reads the address of a task file, in the same form as that of a scene file. */
export const readTaskAddress = (href: string): string | null => readFileAddress(href, TASK);

/** Reads the address of a proof: `replay.html?proof=https://example.org/run.json`, in the same form as that of a scene file. */
export const readProofAddress = (href: string): string | null => readFileAddress(href, PROOF);

function readFileAddress(href: string, parameter: FileParameter): string | null {
  const asked = new URL(href).searchParams.get(parameter);
  if (asked === null || !looksLikeAddress(asked) || !URL.canParse(asked, href)) return null;
  const address = new URL(asked, href);
  return isOpened(address, new URL(href).origin) ? address.href : null;
}

/** Returns whether files of this address may be opened: from this page's own site, or from any site over https. */
export const isOpened = ({ protocol, origin }: URL, own: string): boolean => protocol === 'https:' || origin === own;

/** Returns a sentence on an unknown scene in the address; null when the scene is valid. */
export function sceneMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(SCENE);
  if (asked === null || !looksLikeAddress(asked)) return sceneChoice.mistake(href);
  return addressMistake(href, SCENE, asked);
}

/** Returns a sentence on why the address of a task file is rejected; null when it is valid, or is an id. */
export function taskAddressMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(TASK);
  return asked === null || !looksLikeAddress(asked) ? null : addressMistake(href, TASK, asked);
}

/** Returns why the address of a proof is rejected; null when it is valid. */
export function proofAddressMistake(href: string): string | null {
  const asked = new URL(href).searchParams.get(PROOF);
  return asked === null ? null : addressMistake(href, PROOF, asked);
}

const addressMistake = (href: string, parameter: FileParameter, asked: string): string | null =>
  readFileAddress(href, parameter) !== null
    ? null
    : `The ${parameter} ${quoted(shownId(asked))} cannot be opened: a ${parameter} file must be at an https address, or on the site of this page.`;

/** The contract that a robot follows, and how strictly. */
export interface ChosenContract {
  profile: RuntimeProfile;
  /** For the `rcw` profile: whether calls that move the body are rejected unless they are signed. */
  signedControlRequired: boolean;
}

/** The contract that a page's address asks for. */
export type AskedContract = Omit<ChosenContract, 'profile'> & {
  /** Null if the address names no profile. The key's identity then decides, and a robot without a room is the simulator. */
  profile: RuntimeProfile | null;
};

/**
 * Reads `?profile=worker` and, for development, `&signed=off` from a page's address. An unknown profile is ignored, because a
 * typing error must not remove the stop at the end of a drive.
 */
export function readContract(href: string): AskedContract {
  const { searchParams } = new URL(href);
  const profile = searchParams.get('profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : null,
    signedControlRequired: searchParams.get('signed') !== 'off',
  };
}

/** `?try=1&seed=7`: the seed of the first world of a robot of this tab; null unless it is a valid whole number. */
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
