import { type Chance, createChance } from '../oracle/chance.ts';
import { readTruth } from '../oracle/truth.ts';
import { atPose, entity, type PendingCall, type Reply, startAt, type TestRuntime } from '../runtime/test-runtime.ts';
import { ASKS, type Ask, askOf, LASTING, meeting, READS, sharedParts } from './busy-contract.ts';
import type { PromiseSuite } from './suite.ts';

/**
 * Every pair of skills at random moments. A rejected call leaves no trace: without it, the same action takes the same course to
 * the last bit.
 */

const BETWEEN_STEPS = 14;

export const busy: PromiseSuite = {
  name: 'busy',
  promises: ['P3', 'P4', 'P9'],
  title:
    'every pair of skills runs side by side, is rejected without a trace, or replaced as promised; reads and pictures always run',
  seeds: { smoke: 14, full: 280 },
  async run(seed) {
    const active = askOf(LASTING[seed % LASTING.length] ?? 'go_to');
    const failures: string[] = [];
    const say = (text: string): void => void failures.push(`while ${active.label} runs: ${text}`);
    const quiet = await alone(seed, active);
    let cases = await refused(seed, active, quiet, say);
    cases += await beside(seed, active, quiet, say);
    cases += await ended(seed, active, say);
    return { cases, failures, samples: { cases: [cases] } };
  },
  summary: ({ cases = [] }) => `${cases.reduce((sum, n) => sum + n, 0)} meetings`,
};

interface Scene {
  t: TestRuntime;
  chance: Chance;
  running: PendingCall;
}

const ID = 'active';

/** A robot before the belt, its hands as the skill requires, sometimes with displaced arms; and the skill begun. */
async function begin(seed: number, active: Ask): Promise<Scene> {
  const chance = createChance(seed);
  const t = await startAt(0.94 - chance.between(0, 0.05), -1.8 + chance.between(-0.05, 0.05), chance.between(-5, 5));
  const full = active.name === 'place_entity' || (active.name !== 'pick_entity' && chance.happens(0.3));
  if (full) need(t.invoke('pick_entity', entity('cube_0')));
  else if (chance.happens(0.4)) {
    t.start('pick_entity', entity('cube_0'));
    t.advance(20 + chance.below(70));
    t.finish(t.send('runtime.cancel', {}));
  }
  if (active.name === 'place_entity') need(t.invoke('go_to', entity('pad_D')));
  // From the other side, so that the path is long enough; a head that need not turn is done too soon for another call.
  if (active.parts.includes('head')) need(t.invoke('set_head', { yaw: -1.1, pitch: -0.3 }));
  if (active.label === 'look_at behind') need(t.invoke('go_to', atPose(0.2, -1.5, 0, { yaw_deg: 0 })));
  const running = t.start(active.name, active.name === 'pick_entity' ? entity('cube_0') : active.input, { action_id: ID });
  return { t, chance, running };
}

function need(reply: Reply): void {
  if (reply.status !== 'done') throw new Error(`the scene cannot be set: ${JSON.stringify(reply.error)}`);
}

interface Quiet {
  reply: Reply;
  steps: number;
  /** Every body at the end, to the last bit. */
  bodies: string;
}

const bodiesOf = (t: TestRuntime): string => {
  const { robot, things } = readTruth(t.core, null);
  return JSON.stringify([robot, [...things.values()]]);
};

/** The action without any other call. */
async function alone(seed: number, active: Ask): Promise<Quiet> {
  const { t, running } = await begin(seed, active);
  const from = t.core.world.step;
  const reply = t.finish(running);
  return { reply, steps: t.core.world.step - from, bodies: bodiesOf(t) };
}

/** All calls that must be rejected, and all that are always served, at random moments of the action. */
async function refused(seed: number, active: Ask, quiet: Quiet, say: (text: string) => void): Promise<number> {
  const { t, running } = await begin(seed, active);
  const chance = createChance(seed + 7_000);
  const from = t.core.world.step;
  const asks = ASKS.filter((ask) => meeting(active, ask) === 'busy' && !dependsOnStance(active, ask));
  let count = 0;
  while (running.replies === 0) {
    const ask = chance.oneOf(asks);
    judgeRefusal(t, active, ask, `${ask.label}-${count}`, say);
    judgeServed(t, active, chance, say);
    count += 2;
    const steps = 1 + chance.below(BETWEEN_STEPS);
    for (let i = 0; i < steps && running.replies === 0; i += 1) t.advance();
  }
  if (JSON.stringify({ ...running.reply, meta: 0 }) !== JSON.stringify({ ...quiet.reply, meta: 0 })) {
    say(`it answers ${JSON.stringify(running.reply)}, and ${JSON.stringify(quiet.reply)} when nobody asks`);
  }
  const steps = t.core.world.step - from;
  if (steps !== quiet.steps) say(`it takes ${steps} steps, and ${quiet.steps} when nobody asks`);
  if (bodiesOf(t) !== quiet.bodies) say('a refused call has moved something');
  return count;
}

/** While something else moves the base, a look may need the base at one moment and not at the next. */
const dependsOnStance = (active: Ask, ask: Ask): boolean => ask.name === 'look_at' && !active.parts.includes('head');

function judgeRefusal(t: TestRuntime, active: Ask, ask: Ask, id: string, say: (text: string) => void): void {
  const { active_action: view } = t.read('runtime.state').runtime;
  const { reply } = t.start(ask.name, ask.input, { action_id: id });
  const error = reply?.error;
  if (error?.code !== 'BUSY' || reply.meta !== undefined) {
    say(`${ask.label} is answered ${JSON.stringify(reply)}, not BUSY`);
    return;
  }
  const { active_action: named, parts, attempted, world_changed: changed, retryable } = error.details;
  if (named.action_id !== ID || named.name !== active.name) say(`BUSY for ${ask.label} names ${JSON.stringify(named)}`);
  if (JSON.stringify(named.progress) !== JSON.stringify(view.progress) || named.phase !== view.phase) {
    say(`BUSY for ${ask.label} tells ${JSON.stringify(named)}, the state ${JSON.stringify(view)}`);
  }
  const shared = sharedParts(active, ask);
  // Displaced arms return with any motion of the base; whether a look needs the base depends on the robot's pose.
  const reported = parts.filter((part: string) => part !== 'arms' || shared.includes('arms') || !ask.parts.includes('base'));
  const asPromised = ask.name === 'look_at' ? reported.includes('head') : reported.join() === shared.join();
  if (!asPromised) say(`BUSY for ${ask.label} names the parts ${parts}, not ${shared}`);
  if (attempted || changed !== 'no' || !retryable) say(`BUSY for ${ask.label} is told as ${JSON.stringify(error.details)}`);
  if (!error.message.includes(active.name) || !error.message.includes(ID)) say(`BUSY says only: ${error.message}`);
  if (t.read('runtime.action', { action_id: id }).error?.code !== 'ACTION_NOT_FOUND') say(`${id} was refused and is remembered`);
}

/** A read and a picture. */
function judgeServed(t: TestRuntime, active: Ask, chance: Chance, say: (text: string) => void): void {
  const method = chance.oneOf(READS);
  const read = t.read(method);
  if (read.status === 'failed') say(`${method} is answered ${JSON.stringify(read.error)}`);
  const picture = t.send('runtime.cameras_capture', { selector: { kind: 'id', id: chance.oneOf(['pov', 'topdown']) } }, 'eye');
  const { active_action: view, status } = t.read('runtime.state').runtime;
  if (view?.action_id !== ID || status !== 'busy') say(`the state names ${JSON.stringify(view)} and not ${active.label}`);
  t.runtime.finishCapture(t.jobs.at(-1)?.actionId ?? '', { ok: true, byteLength: 1 }, t.nowMs);
  if (picture.reply?.status !== 'done') say(`a picture is answered ${JSON.stringify(picture.reply)}`);
}

/** A call that moves other parts, or none, is served at once and changes nothing of the action's end. */
async function beside(seed: number, active: Ask, quiet: Quiet, say: (text: string) => void): Promise<number> {
  const { t, running } = await begin(seed, active);
  const chance = createChance(seed + 9_000);
  const asks = ASKS.filter((ask) => meeting(active, ask) === 'beside' || dependsOnStance(active, ask));
  const mine: PendingCall[] = [];
  while (running.replies === 0) {
    const ask = chance.oneOf(asks);
    // One after the other if they share parts.
    const free = mine.every(({ replies }) => replies > 0);
    if (free || ask.parts.length === 0) {
      const call = t.start(ask.name, ask.input, { action_id: `${ask.label}-${mine.length}` });
      mine.push(call);
      const { code, details } = call.reply?.error ?? {};
      const needsBase = dependsOnStance(active, ask) && details?.parts?.join() === 'base';
      if ((code === 'BUSY' && !needsBase) || code === 'CANCELLED')
        say(`${ask.label} beside it is answered ${JSON.stringify(call.reply)}`);
      if (running.replies > 0) say(`${ask.label} beside it ended it: ${JSON.stringify(running.reply)}`);
    }
    t.advance(1 + chance.below(BETWEEN_STEPS));
  }
  if (running.reply.status !== quiet.reply.status) {
    say(`with others beside it it answers ${JSON.stringify(running.reply)}, and ${quiet.reply.status} alone`);
  }
  return mine.length;
}

/** Another drive, a halt or a cancel ends it; other calls are rejected while it stops. */
async function ended(seed: number, active: Ask, say: (text: string) => void): Promise<number> {
  let count = 0;
  const enders = ASKS.filter((ask) => ['replaces', 'stops', 'cancels'].includes(meeting(active, ask)));
  for (const ender of enders) {
    const { t, chance, running } = await begin(seed, active);
    t.advance(chance.below(30));
    if (running.replies > 0) continue;
    count += 1;
    const call = t.start(ender.name, ender.input, { action_id: 'ender' });
    if (meeting(active, ender) === 'replaces' && running.replies === 0 && !t.core.armsAstray)
      say(`${ender.label} does not replace it at once`);
    let steps = 0;
    while (running.replies === 0 && steps < 600) {
      const again = ASKS.filter((ask) => ask.parts.includes('simulation'));
      judgeStopping(t, chance.oneOf(again), `late-${steps}`, say);
      t.advance();
      steps += 1;
    }
    const { error } = running.reply ?? {};
    if (steps > 60) say(`${ender.label} ended it after ${steps} steps`);
    if (error?.code !== 'CANCELLED') say(`after ${ender.label} it answers ${JSON.stringify(running.reply)}`);
    if (ender.name !== 'cancel' && error?.details.superseded_by !== 'ender')
      say(`superseded_by is ${error?.details.superseded_by}`);
    if (t.finish(call).status !== 'done') say(`${ender.label} is answered ${JSON.stringify(call.reply)}`);
    if (ender.name === 'cancel' && call.reply.result.cancelled_action_ids.join() !== ID) {
      say(`cancel names ${call.reply.result.cancelled_action_ids}`);
    }
  }
  return count;
}

function judgeStopping(t: TestRuntime, ask: Ask, id: string, say: (text: string) => void): void {
  const { reply } = t.start(ask.name, ask.input, { action_id: id });
  if (reply?.error?.code !== 'BUSY') say(`${ask.label} while it stops is answered ${JSON.stringify(reply)}`);
}
