import { type Chance, createChance } from '../oracle/chance.ts';
import { type Counter, createCounter } from './once-count.ts';
import { openTab, type Tab, type TabCall } from './once-tab.ts';
import type { PromiseSuite, SeedOutcome } from './suite.ts';

/**
 * Two clients call, repeat, lose replies and ask again, while the tab is reloaded from time to time: one id, one execution, one
 * answer.
 */

const IDS = 14;
const EVENTS = 90;
const CLIENTS = ['one', 'two'];

interface Job {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Turn rate or head angle that no other job has. */
  mark: number;
}

export const once: PromiseSuite = {
  name: 'once',
  promises: ['P3', 'P5', 'P6'],
  title: 'one id has one execution and one answer for any number of calls and callers, across reloads',
  seeds: { smoke: 13, full: 600 },
  async run(seed) {
    const chance = createChance(seed);
    const jobs = Array.from({ length: IDS }, (_, number) => createJob(chance, seed, number));
    const tab = await openTab(seed);
    const counter = createCounter();
    const calls: TabCall[] = [];
    const others: TabCall[] = [];
    let reloads = 0;
    const step = (steps: number): void => {
      for (let i = 0; i < steps; i += 1) {
        tab.runtime().advance();
        counter.look(tab.runtime());
      }
    };
    step(20);
    for (let event = 0; event < EVENTS; event += 1) {
      const job = chance.oneOf(jobs);
      const client = chance.oneOf(CLIENTS);
      // Other parameters only for an id that is in use: otherwise the id would belong to them.
      if (chance.happens(0.15) && tab.acceptedIds().includes(job.id)) others.push(tab.call(job.id, otherCall(job), client));
      else calls.push(tab.call(job.id, callOf(job), client));
      if (chance.happens(0.3)) calls.push(tab.call(job.id, callOf(job), chance.oneOf(CLIENTS)));
      step(chance.below(60));
      if (chance.happens(0.75)) tab.hear();
      if (!chance.happens(0.06)) continue;
      reloads += 1;
      await tab.reload();
      counter.restart();
      step(20);
    }
    step(300);
    tab.hear();
    const failures = [...judge(jobs, tab, calls, counter, step), ...judgeOthers(others), ...judgeAnswers([...calls, ...others])];
    const accepted = new Set(tab.acceptedIds()).size;
    return {
      cases: calls.length + others.length,
      failures,
      samples: {
        reloads: [reloads],
        accepted: [accepted],
        calls: [calls.length],
        lost: [calls.filter(({ lost }) => lost).length],
      },
    } satisfies SeedOutcome;
  },
  summary: (samples) => {
    const sum = (name: string): number => (samples[name] ?? []).reduce((total, n) => total + n, 0);
    return `${sum('calls')} calls of ${sum('accepted')} ids, ${sum('lost')} replies lost with the page in ${sum('reloads')} reloads`;
  },
};

function createJob(chance: Chance, seed: number, number: number): Job {
  const id = `job-${seed}-${number}`;
  switch (number % 3) {
    case 0: {
      const mark = (number % 2 === 0 ? 1 : -1) * (0.35 + 0.05 * number);
      return { id, name: 'set_velocity', input: { wz: mark, duration_s: chance.between(0.7, 1.2) }, mark };
    }
    case 1: {
      const mark = (number % 2 === 0 ? 1 : -1) * (0.3 + 0.06 * number);
      return { id, name: 'set_head', input: { yaw: mark, pitch: 0 }, mark };
    }
    default:
      return { id, name: 'set_color_mode', input: { mode: chance.oneOf(['natural', 'plain']) }, mark: 0 };
  }
}

const callOf = ({ id, name, input }: Job) => ({ name, input, options: { action_id: id } });
const otherCall = ({ id, name }: Job) =>
  name === 'set_velocity'
    ? { name: 'set_head', input: { yaw: 0.123 }, options: { action_id: id } }
    : { name: 'set_velocity', input: { wz: 0.2 }, options: { action_id: id } };

function judge(
  jobs: readonly Job[],
  tab: Tab,
  calls: readonly TabCall[],
  counter: Counter,
  step: (steps: number) => void,
): string[] {
  const failures: string[] = [];
  for (const job of jobs) {
    const heard = calls.filter(({ id, heard }) => id === job.id && heard !== null).map((call) => call.heard);
    const answers = heard.filter((reply) => reply.meta !== undefined);
    // A call that found its part of the body taken did not become an action, and used up no id.
    const refused = heard.filter((reply) => reply.meta === undefined && reply.error.code !== 'BUSY');
    for (const reply of refused) failures.push(`${job.id} ${job.name} was refused: ${JSON.stringify(reply.error)}`);
    const last = CLIENTS.map((client) => tab.call(job.id, callOf(job), client));
    step(260);
    tab.hear();
    answers.push(...last.map((call) => call.heard));
    failures.push(...judgeAnswers(last));
    const read = JSON.parse(JSON.stringify(tab.runtime().read('runtime.action', { action_id: job.id })));
    const different = new Set([...answers, read].map((answer) => JSON.stringify(answer)));
    if (different.size !== 1)
      failures.push(`${job.id} ${job.name} has ${different.size} answers: ${[...different].join(' and ').slice(0, 600)}`);
    const runs = tab.acceptedIds().filter((id) => id === job.id).length;
    if (runs > 1) failures.push(`${job.id} ${job.name} was accepted ${runs} times`);
    const status = answers[0]?.status;
    const seen = job.name === 'set_velocity' ? counter.turns(job.mark) : job.name === 'set_head' ? counter.nods(job.mark) : null;
    if (seen !== null && (seen > 1 || (status === 'done' && seen !== 1))) {
      failures.push(`${job.id} ${job.name} ${JSON.stringify(job.input)} answered ${status}, and the body did it ${seen} times`);
    }
    if (status === 'done' && runs !== 1) failures.push(`${job.id} ${job.name} is done, accepted ${runs} times`);
  }
  return failures;
}

/** A call is answered exactly once, unless it was open when the page closed: then at most once. */
export const judgeAnswers = (calls: readonly TabCall[]): string[] =>
  calls
    .filter((call) => (call.lost ? call.answers() > 1 : call.answers() !== 1 || call.heard === null))
    .map(
      (call) => `${call.id}: ${call.payload} of ${call.client} is answered ${call.answers()} times${call.lost ? ', lost' : ''}`,
    );

/** Another call under an id that is in use is rejected, whatever became of the first. */
const judgeOthers = (others: readonly TabCall[]): string[] =>
  others
    .filter(({ heard }) => heard !== null && heard.error?.code !== 'DUPLICATE_ACTION')
    .map(({ id, payload, heard }) => `${id}: the other call ${payload} was answered ${JSON.stringify(heard)}`);
