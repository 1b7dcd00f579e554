import { noJsonText } from '../../common/json-place.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { RunRecord, Wording } from './run-record.ts';
import { type Interval, isBelow, passHatK, runsToDecide, successInterval } from './statistics.ts';

const SUMMARY_FORMAT = 'simplesim.eval/1';

/** How often runs passed. */
export interface Success {
  runs: number;
  passed: number;
  /** Runs that could not be made; they count neither way. */
  errors: number;
  rate: number | null;
  /** The rate lies between these with a probability of at least 95 %. */
  interval: Interval;
}

export interface TaskSuccess extends Success {
  task: string;
  suite: string;
  title: string;
  task_sha256: string;
  /** Of the runs that count, in their order. */
  seeds: number[];
  /** Runs that passed by a goal that was true from the start, or without an action: they prove nothing about the agent. */
  passed_unaided: number;
  /** Chance that so many runs all pass, by their number: 1, 2, 4, 8. */
  pass_hat_k: Record<string, number>;
  mean_credit: number | null;
  mean_simulated_s: number | null;
}

/** The result of all runs: `summary.json`, which `--compare` reads. */
export interface Summary {
  format: typeof SUMMARY_FORMAT;
  agent: string;
  product_version: string;
  /** Null when there was no run. */
  robot: RobotId | null;
  wording: Wording | null;
  all: Success & { pass_hat_k: Record<string, number> };
  tasks: TaskSuccess[];
}

const KS = [1, 2, 4, 8] as const;

/** Sums runs up. @param agent as it was asked for */
export function summarise(records: readonly RunRecord[], agent: string, productVersion: string): Summary {
  const names = [...new Set(records.map(({ task }) => task))];
  const tasks = names.map((name) => taskSuccess(records.filter(({ task }) => task === name)));
  return {
    format: SUMMARY_FORMAT,
    agent,
    product_version: productVersion,
    robot: records[0]?.robot ?? null,
    wording: records[0]?.wording ?? null,
    all: { ...successOf(records), pass_hat_k: meanOfTasks(tasks) },
    tasks,
  };
}

function successOf(records: readonly RunRecord[]): Success {
  const judged = records.filter(({ outcome }) => outcome !== 'error');
  const passed = judged.filter(({ outcome }) => outcome === 'passed').length;
  const runs = judged.length;
  return {
    runs,
    passed,
    errors: records.length - runs,
    rate: runs === 0 ? null : passed / runs,
    interval: successInterval(passed, runs),
  };
}

function taskSuccess(records: readonly RunRecord[]): TaskSuccess {
  const success = successOf(records);
  const judged = records.filter(({ outcome }) => outcome !== 'error');
  const [{ task, suite, title, task_sha256 }] = records as [RunRecord];
  const ks = KS.flatMap((k): [string, number][] => {
    const chance = passHatK(success.passed, success.runs, k);
    return chance === null ? [] : [[String(k), chance]];
  });
  return {
    task,
    suite,
    title,
    task_sha256,
    seeds: judged.map(({ seed }) => seed).sort((one, other) => one - other),
    ...success,
    passed_unaided: judged.filter(isUnaided).length,
    pass_hat_k: Object.fromEntries(ks),
    mean_credit: meanOf(judged.map(({ credit }) => credit)),
    mean_simulated_s: meanOf(judged.map(({ simulated_s: seconds }) => seconds)),
  };
}

function isUnaided({ outcome, verdict }: RunRecord): boolean {
  if (outcome !== 'passed' || verdict === null) return false;
  return verdict.calls === 0 || verdict.predicates.some(({ path, since_step: sinceStep }) => path === 'goal' && sinceStep === 0);
}

/** Returns pass^k over all tasks, for each k that every task has: the mean of theirs. */
function meanOfTasks(tasks: readonly TaskSuccess[]): Record<string, number> {
  const known = KS.map(String).filter((k) => tasks.length > 0 && tasks.every((task) => k in task.pass_hat_k));
  return Object.fromEntries(known.map((k) => [k, meanOf(tasks.map((task) => task.pass_hat_k[k] ?? 0)) ?? 0]));
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The comparison of two evaluations for a task. */
export interface Comparison {
  /** Null: all tasks together. */
  task: string | null;
  before: Success;
  now: Success;
  /**
   * `worse`, `better`: the intervals lie apart. `unclear`: the rate is lower, and the intervals overlap. `blind`: the rate is not lower, but
   * the intervals would overlap even if no run had passed. `uncounted`: one evaluation has no run that counts.
   */
  is: 'worse' | 'better' | 'not_worse' | 'unclear' | 'blind' | 'uncounted';
  /** Of `unclear` and `blind`: seeds that both evaluations need at least, so that this would be `worse`; null if 100 are too few. */
  seedsNeeded: number | null;
}

/** An earlier summary may have been written before hashes were. */
const isSameTask = (one: TaskSuccess, other: TaskSuccess): boolean =>
  one.task === other.task && (one.task_sha256 ?? other.task_sha256) === (other.task_sha256 ?? one.task_sha256);

/** Compares each task, and all together, with an earlier summary. Tasks that one of them lacks, or has otherwise, are left out. */
export function compare(before: Summary, now: Summary): Comparison[] {
  const pairs: [string | null, Success, Success][] = now.tasks.flatMap((task) => {
    const earlier = before.tasks.find((one) => isSameTask(one, task));
    return earlier ? [[task.task, earlier, task] as [string, Success, Success]] : [];
  });
  const isSameSet = pairs.length === now.tasks.length && pairs.length === before.tasks.length;
  if (isSameSet) pairs.unshift([null, before.all, now.all]);
  return pairs.map(([task, one, other]) => ({
    task,
    before: one,
    now: other,
    ...comparisonOf(one, other, task === null ? now.tasks.length : 1),
  }));
}

/** @param runsOfSeed how many runs one seed makes */
function comparisonOf(before: Success, now: Success, runsOfSeed: number): Pick<Comparison, 'is' | 'seedsNeeded'> {
  const seedsFor = (worse: Pick<Success, 'passed' | 'runs'>): number | null => {
    const runs = runsToDecide(before, worse);
    return runs === null ? null : Math.ceil(runs / runsOfSeed);
  };
  if (before.runs === 0 || now.runs === 0) return { is: 'uncounted', seedsNeeded: null };
  if (isBelow(now.interval, before.interval)) return { is: 'worse', seedsNeeded: null };
  if (isBelow(before.interval, now.interval)) return { is: 'better', seedsNeeded: null };
  if (now.passed * before.runs < before.passed * now.runs) return { is: 'unclear', seedsNeeded: seedsFor(now) };
  const none = { passed: 0, runs: now.runs };
  if (before.passed > 0 && !isBelow(successInterval(0, now.runs), before.interval))
    return { is: 'blind', seedsNeeded: seedsFor(none) };
  return { is: 'not_worse', seedsNeeded: null };
}

/** The differences in the setup of two evaluations. */
export interface Unlike {
  /** Tasks that only one of them has: of these nothing was compared, and of all tasks together neither. */
  onlyOne: string[];
  /** Tasks that both have under one name, which are not the same: nothing was compared either. */
  changed: string[];
  /** Differences that may explain a change as well as the agent does. */
  conditions: { what: 'robot' | 'wording' | 'version'; before: string; now: string }[];
}

/** Returns what keeps two summaries from being compared, or explains what differs. */
export function unlike(before: Summary, now: Summary): Unlike {
  const named = ({ task }: TaskSuccess, tasks: readonly TaskSuccess[]): boolean => tasks.some((one) => one.task === task);
  const conditions: Unlike['conditions'] = [];
  const compare = (what: Unlike['conditions'][number]['what'], one: string | null | undefined, other: string | null): void => {
    if (typeof one === 'string' && other !== null && one !== other) conditions.push({ what, before: one, now: other });
  };
  compare('robot', before.robot, now.robot);
  compare('wording', before.wording, now.wording);
  compare('version', before.product_version, now.product_version);
  return {
    onlyOne: [
      ...now.tasks.filter((task) => !named(task, before.tasks)),
      ...before.tasks.filter((task) => !named(task, now.tasks)),
    ].map(({ task }) => task),
    changed: now.tasks
      .filter((task) => named(task, before.tasks) && !before.tasks.some((one) => isSameTask(one, task)))
      .map(({ task }) => task),
    conditions,
  };
}

/** Reads an earlier `summary.json`. @throws Error when it is not one */
export function readSummary(text: string): Summary {
  let value: Partial<Summary> | null = null;
  try {
    value = JSON.parse(text) as Partial<Summary> | null;
  } catch {
    throw new Error(
      `It is not a summary of an evaluation, because it is not JSON: ${noJsonText(text)}. Give the summary.json of an earlier evaluation.`,
    );
  }
  const isSuccess = (one: Partial<Success> | undefined): boolean =>
    typeof one?.runs === 'number' && typeof one.interval?.low === 'number' && typeof one.interval.high === 'number';
  const isOne =
    value?.format === SUMMARY_FORMAT && isSuccess(value.all) && Array.isArray(value.tasks) && value.tasks.every(isSuccess);
  if (!isOne)
    throw new Error(`It is not a summary of an evaluation (${SUMMARY_FORMAT}): give the summary.json of an earlier one.`);
  return value as Summary;
}
