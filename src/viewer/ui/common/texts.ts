import { capitalise } from '../../../common/capitalise.ts';
import { isRecord } from '../../../common/schema-texts.ts';
import { quoted, shownId, shownName } from '../../../common/shown-text.ts';
import { HUMANOID } from '../../../protocol/robots/humanoid.ts';
import { type Caller, PAGE, saidCaller } from '../../../protocol/wire/caller.ts';
import { ERROR_CODES, type RuntimeError } from '../../../protocol/wire/error-codes.ts';
import { radToDeg } from '../../../protocol/wire/geometry.ts';
import { isRcwSkillName, RCW_SKILLS } from '../../../protocol/wire/rcw-skills.ts';
import type { RobotWords } from '../../../protocol/wire/robot.ts';
import { isSkillName, skillWords } from '../../../protocol/wire/skills.ts';
import type { ActionView, ParticipantView } from '../../engine/types.ts';
import { counted, decimal, degrees, factor } from './format.ts';
import { OUTCOME_TEXTS, outcomeOfAction } from './outcomes.ts';

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? quoted(shownId(value)) : null);

/**
 * Returns the title of an action in everyday words: "Pick up cube_4", "Walk to pad_B". Input that the skill does not accept still
 * gets a title, because rejected calls are shown too.
 * @param robot the words of the robot that acts
 */
export function actionTitle(
  action: Pick<ActionView, 'kind' | 'name' | 'input' | 'stroke'>,
  robot: RobotWords = HUMANOID.words,
): string {
  if (action.stroke) return `Drive by hand, ${counted(action.stroke.commands, 'command')}`;
  const input = fieldsOf(action.input);
  if (action.kind === 'capture') {
    const camera = textOf(fieldsOf(input.selector).id);
    return camera ? `Take a picture with ${camera}` : 'Take a picture';
  }
  const text = TITLES[action.name]?.(input, robot);
  if (text) return text;
  if (isSkillName(action.name)) return skillWords(action.name, robot).title;
  return isRcwSkillName(action.name) ? RCW_SKILLS[action.name].title : quoted(shownName(action.name));
}

const TITLES: Record<string, (input: Fields, robot: RobotWords) => string | null> = {
  set_velocity: driveTitle,
  go_to: ({ target }, { go }) => {
    const place = targetText(target);
    return place && `${capitalise(go)} to ${place}`;
  },
  pick_entity: ({ target }) => {
    const entity = targetText(target);
    return entity && `Pick up ${entity}`;
  },
  place_entity: ({ target }) => {
    if (target === undefined) return 'Put down on the nearest pad';
    const place = targetText(target);
    return place && (fieldsOf(target).kind === 'pose' ? `Put down at ${place}` : `Put down on ${place}`);
  },
  set_head: headTitle,
  look_at: ({ target }) => {
    const place = targetText(target);
    return place && `Look at ${place}`;
  },
  reset: ({ seed }) => (numberOf(seed) === null ? null : `Restart the scene with seed ${seed}`),
  select_scene: ({ scene_id }) => textOf(scene_id) && `Load the scene ${textOf(scene_id)}`,
  set_sim_speed: ({ speed }) => {
    const value = numberOf(speed);
    return value === null ? null : `Run time at ${factor(value)}`;
  },
  set_upper_body: () => 'Arms follow poses',
  set_color_mode: ({ mode }) => textOf(mode) && `Draw camera pictures in ${textOf(mode)} colours`,
};

function targetText(target: unknown): string | null {
  const { kind, entity_id, pose, pad_id, index } = fieldsOf(target);
  if (kind === 'entity') return entity_id === 'cube' ? 'the nearest cube' : textOf(entity_id);
  if (kind === 'slot') return textOf(pad_id) && `${textOf(pad_id)}, slot ${numberOf(index) ?? '?'}`;
  const position = fieldsOf(pose).position;
  const [x, y] = Array.isArray(position) ? position.map(numberOf) : [];
  return x == null || y == null ? null : `x ${decimal(x, 2)}, y ${decimal(y, 2)}`;
}

/** Returns the title of a drive. In the physical robot's contract, `vyaw` is the turn rate, and the robot keeps its velocity. */
function driveTitle(input: Fields): string {
  const holds = 'vyaw' in input;
  const [vx, vy, wz] = [input.vx, input.vy, holds ? input.vyaw : input.wz].map((value) => numberOf(value) ?? 0);
  const text = velocityText({ vx: vx ?? 0, vy: vy ?? 0, wz: wz ?? 0 });
  if (text === '') return 'Stop driving';
  return holds ? `Drive ${text}, until stopped` : `Drive ${text}`;
}

/** Describes a velocity in the body frame, m/s and rad/s; empty for none. */
export function velocityText({ vx, vy, wz }: { vx: number; vy: number; wz: number }): string {
  const parts = [
    vx === 0 ? null : `${decimal(Math.abs(vx), 2)} m/s ${vx > 0 ? 'forward' : 'back'}`,
    vy === 0 ? null : `${decimal(Math.abs(vy), 2)} m/s ${vy > 0 ? 'left' : 'right'}`,
    wz === 0 ? null : `turn ${Math.round(Math.abs(radToDeg(wz)))}°/s ${wz > 0 ? 'left' : 'right'}`,
  ].filter((part) => part !== null);
  return parts.join(', ');
}

function headTitle(input: Fields): string | null {
  const [yaw, pitch] = [numberOf(input.yaw), numberOf(input.pitch)];
  if (yaw === null && pitch === null) return null;
  if ((yaw ?? 0) === 0 && (pitch ?? 0) === 0) return 'Turn the head straight';
  return `Turn the head ${headText(yaw, pitch)}`;
}

/**
 * Describes head angles, e.g. "30° left, 10° down". @param yawRad radians, positive left @param pitchRad radians, positive down
 */
export function headText(yawRad: number | null, pitchRad: number | null): string {
  const side = (rad: number | null, positive: string, negative: string) => {
    const deg = rad === null ? 0 : Math.round(radToDeg(rad));
    return deg === 0 ? null : `${degrees(Math.abs(deg))} ${deg > 0 ? positive : negative}`;
  };
  const parts = [side(yawRad, 'left', 'right'), side(pitchRad, 'down', 'up')].filter((part) => part !== null);
  return parts.length === 0 ? 'straight ahead' : parts.join(', ');
}

/** Returns the name by which people know a caller. */
export function callerName(caller: Caller, participants: readonly ParticipantView[]): string {
  switch (caller.kind) {
    case 'page':
      return caller.agent ? 'the agent in this browser' : THIS_PAGE;
    case 'participant':
      return `${inSentence(caller.identity, participants)}${hasLeft(caller.identity, participants) ? ' (has left)' : ''}`;
    case 'holder':
      return quoted(shownName(caller.holder));
    case 'service':
      return quoted(shownName(caller.name));
    case 'robot':
      return caller.what;
  }
}

/** Returns the caller's name, and for a signed call also the participant that sent it. */
export function callerFacts(caller: Caller, participants: readonly ParticipantView[]): string {
  const name = callerName(caller, participants);
  if (caller.kind !== 'holder' || caller.carrier === caller.holder) return name;
  return `${name}, carried by ${inSentence(caller.carrier, participants)}`;
}

/** The name of the person at this page, everywhere. */
export const THIS_PAGE = 'this page';

/**
 * Returns a caller's name, or another name of ours, with a capital letter to start a sentence. A name that others chose is
 * unchanged.
 */
export const beginning = (who: string): string => who.replace(/^(t)(?=(his|he) )/, (letter) => letter.toUpperCase());

const hasLeft = (identity: string, participants: readonly ParticipantView[]): boolean =>
  participants.some((each) => each.identity === identity && each.hasLeft);

const inSentence = (identity: string, participants: readonly ParticipantView[]): string =>
  withIdentity(quoted(ownName(identity, participants)), identity, participants);

/** Returns the name of a participant for a list. The unique identity is added where another participant shows the same name. */
export const participantName = (identity: string, participants: readonly ParticipantView[]): string =>
  participants.some((each) => each.identity === identity && each.isSelf) ? THIS_PAGE : inSentence(identity, participants);

const ownName = (identity: string, participants: readonly ParticipantView[]): string =>
  shownName(participants.find((each) => each.identity === identity)?.name || identity);

function withIdentity(said: string, identity: string, participants: readonly ParticipantView[]): string {
  const looks = (name: string): string => shownName(name).normalize('NFKC').toLowerCase();
  const mine = looks(ownName(identity, participants));
  const isTaken = participants.some(
    (other) => other.identity !== identity && (looks(other.name) === mine || looks(other.identity) === mine),
  );
  return isTaken ? `${said} (${quoted(shownName(identity))})` : said;
}

/** Returns the sentence of an error, with the person at this page named as everywhere else on it. */
export function errorMessage({ message, details }: RuntimeError): string {
  const who = [details.canceller, details.superseder].find((each) => fieldsOf(each).kind === PAGE.kind);
  return who === undefined ? message : message.replace(saidCaller(PAGE), THIS_PAGE);
}

/** Returns the next step for the caller of a failed action: the hint of the error, otherwise the remedy for its code. */
export const remedy = (error: RuntimeError): string => error.details.hint ?? ERROR_CODES[error.code].remedy;

/** Returns promise P4 in words: whether it was tried, and whether the world has changed. */
export function triedText({ details }: RuntimeError): string {
  if (!details.attempted) return 'The robot did not start.';
  return {
    no: 'The robot started. Nothing has moved.',
    yes: 'The robot started, and things have moved.',
    unknown: 'The robot started. It is not known whether things have moved.',
  }[details.world_changed];
}

/** Returns one sentence for a screen reader when an action has ended. */
export function outcomeSentence(action: ActionView, robot: RobotWords = HUMANOID.words): string {
  const outcome = outcomeOfAction(action);
  const said = `${actionTitle(action, robot)}: ${OUTCOME_TEXTS[outcome].toLowerCase()}.`;
  if (outcome === 'done' || outcome === 'cancelled') return said;
  return `${said} ${action.result?.error?.message ?? ''}`.trim();
}
