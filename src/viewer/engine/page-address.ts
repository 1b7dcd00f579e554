import { listed, quoted, shownId } from '../../common/shown-text.ts';
import { MAX_SEED } from '../../protocol/wire/limits.ts';
import { isRuntimeProfile, type RuntimeProfile } from '../../protocol/wire/profile.ts';
import { DEFAULT_ROBOT_ID, ROBOT_IDS } from '../../protocol/wire/robot.ts';
import { SCENE_IDS, START_SCENE_ID } from '../../protocol/wire/scene-ids.ts';

/**
 * The choices in a page's address: whether the robot is this tab's own, its model, scene, contract, task and seed, and whether the
 * page logs; and functions that write them.
 */

/** The parameter that opens the robot in this tab only. */
const LOCAL = 'try';
const SCENE = 'scene';
const TASK = 'task';
const PROOF = 'proof';

type FileParameter = typeof SCENE | typeof TASK | typeof PROOF;

const read = (href: string, parameter: string): string | null => new URL(href).searchParams.get(parameter);

/** Returns the address with a parameter, or without it if the value is null. The rest of the address is unchanged. */
function mark(href: string, parameter: string, value: string | null): string {
  const url = new URL(href);
  if (value === null) url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, value);
  return url.href;
}

/** Returns whether an address contains a parameter with any value but 0. */
const asksFor = (href: string, parameter: string): boolean => (read(href, parameter) ?? '0') !== '0';

/** Returns whether this address asks for a robot in this tab only: `?try`, with any value but 0. */
export const asksForLocal = (href: string): boolean => asksFor(href, LOCAL);

/** Returns whether this address asks for the debug log: `?log`, with any value but 0. */
export const asksForLog = (href: string): boolean => asksFor(href, 'log');

/** Returns the address with or without the parameter, so that a reload opens the robot or the gate again. */
export const markLocal = (href: string, local: boolean): string =>
  local === asksForLocal(href) ? href : mark(href, LOCAL, local ? '1' : null);

/** A choice that an address carries as a parameter. The default is not written into the address. */
interface AddressChoice<Id extends string> {
  /** Reads the choice from a page's address. An unknown value counts as the default. */
  read(href: string): Id;
  /** Returns a sentence that names the unknown value in the address and the valid ones; null when the address is valid. */
  mistake(href: string): string | null;
  /** Returns the address with this choice. */
  mark(href: string, id: Id): string;
}

/** Creates the choice for a URL parameter. The parameter's name is also the word for it in sentences. */
function addressChoice<Id extends string>(parameter: string, ids: readonly Id[], usual: Id): AddressChoice<Id> {
  const known = (wanted: string | null): Id | undefined => ids.find((id) => id === wanted);
  const chosen = (href: string): Id => known(read(href, parameter)) ?? usual;
  return {
    read: chosen,
    mistake(href) {
      const wanted = read(href, parameter);
      if (!wanted || known(wanted)) return null;
      return `There is no ${parameter} ${quoted(shownId(wanted))}; there are ${listed(ids)}.`;
    },
    mark: (href, id) => (chosen(href) === id ? href : mark(href, parameter, id === usual ? null : id)),
  };
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
  const asked = read(href, parameter);
  if (asked === null || !looksLikeAddress(asked) || !URL.canParse(asked, href)) return null;
  const address = new URL(asked, href);
  return isOpened(address, new URL(href).origin) ? address.href : null;
}

/** Returns whether files of this address may be opened: from this page's own site, or from any site over https. */
export const isOpened = ({ protocol, origin }: URL, own: string): boolean => protocol === 'https:' || origin === own;

/** Returns a sentence on an unknown scene in the address; null when the scene is valid. */
export function sceneMistake(href: string): string | null {
  const asked = read(href, SCENE);
  if (asked === null || !looksLikeAddress(asked)) return sceneChoice.mistake(href);
  return addressMistake(href, SCENE, asked);
}

/** Returns a sentence on why the address of a task file is rejected; null when it is valid, or is an id. */
export function taskAddressMistake(href: string): string | null {
  const asked = read(href, TASK);
  return asked === null || !looksLikeAddress(asked) ? null : addressMistake(href, TASK, asked);
}

/** Returns why the address of a proof is rejected; null when it is valid. */
export function proofAddressMistake(href: string): string | null {
  const asked = read(href, PROOF);
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
  const profile = read(href, 'profile');
  return {
    profile: isRuntimeProfile(profile) ? profile : null,
    signedControlRequired: read(href, 'signed') !== 'off',
  };
}

/** `?try=1&seed=7`: the seed of the first world of a robot of this tab; null unless it is a valid whole number. */
export function readSeed(href: string): number | null {
  const asked = read(href, 'seed') ?? '';
  return /^\d{1,10}$/.test(asked) && Number(asked) <= MAX_SEED ? Number(asked) : null;
}

/** `?try=1&task=hall-both-reds`: the task of the robot of this tab, by its id or the address of its file. */
export const readTaskId = (href: string): string | null => read(href, TASK) || null;

/** Returns the address with this task, or without one. */
export const markTask = (href: string, id: string | null): string => (readTaskId(href) === id ? href : mark(href, TASK, id));
