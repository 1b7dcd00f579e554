import type { Predicate } from '../protocol/files/task-file.ts';
import type { PredicateReport } from '../protocol/files/verdict.ts';
import { roundUnit } from '../protocol/wire/json.ts';
import { SETTLE_S, STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import { factTexts, missingTexts } from './goal-texts.ts';
import type { JudgedView, Regions } from './judged-view.ts';
import { EVENTS, judgeAtom } from './predicates.ts';

/** A predicate has to hold this long before it counts as reached, as `done` has (promise P1). */
const SETTLE_STEPS = SETTLE_S * STEPS_PER_SECOND;

/** A predicate of a task during a run: its present value, since when, and its memory. */
export interface JudgedNode {
  readonly predicate: Predicate;
  /** Its place in the task: "goal.of[1]". */
  readonly path: string;
  readonly holds: boolean;
  /** Whether it holds, or, of an event, whether it happens in this very step. */
  readonly holdsNow: boolean;
  /** The step after which it began to hold; null while it does not. */
  readonly sinceStep: number | null;
  readonly share: number;
  /** Looks at the world after a step. */
  look(view: JudgedView): void;
  /** Returns whether it has been true for long enough to be reached. Events need no time. */
  isReached(step: number): boolean;
  /** Forgets what happened; what holds already counts only when it has ceased to hold before. */
  startAnew(): void;
  /** This predicate and all those in it. */
  reports(): PredicateReport[];
  /** Returns, for each report in its order, what is the case, or what keeps the predicate from holding; nothing for those made of others. */
  sentences(): string[][];
  /** Returns, in sentences, what keeps it from holding in the world that it looked at last. Empty while it holds. */
  missing(): string[];
  /** Returns, in sentences, what is the case in the world that it looked at last. Empty unless it holds. */
  facts(): string[];
}

/** The value of a kind of predicate after each step. */
interface Explanation {
  holds: boolean;
  /** @default `holds` */
  holdsNow?: boolean;
  share: number;
  subjects?: string[];
}

interface Kind {
  explain(view: JudgedView): Explanation;
  startAnew?(): void;
  /** Once reached it stays so. @default false */
  stays?: boolean;
  inner?: readonly JudgedNode[];
  missing(): string[];
  facts(): string[];
}

/** Makes the judge of a predicate and of those in it. @param path of the predicate in its task */
export function createNode(predicate: Predicate, path: string, regions: Regions): JudgedNode {
  const kind = kindOf(predicate, path, regions);
  let said: Explanation = { holds: false, share: 0 };
  let sinceStep: number | null = null;
  /** It was true when it was restarted, and has been true since. */
  let isOld = false;
  let startsAnew = false;
  return {
    predicate,
    path,
    get holds() {
      return sinceStep !== null;
    },
    get holdsNow() {
      return sinceStep !== null && (said.holdsNow ?? said.holds);
    },
    get sinceStep() {
      return sinceStep;
    },
    get share() {
      return isOld ? 0 : said.share;
    },
    look(view) {
      said = kind.explain(view);
      if (startsAnew) isOld = said.holds && !(kind.stays ?? false);
      startsAnew = false;
      isOld &&= said.holds;
      if (!said.holds || isOld) sinceStep = null;
      else sinceStep ??= view.step;
    },
    isReached: (step) => sinceStep !== null && (kind.stays === true || step - sinceStep >= SETTLE_STEPS),
    startAnew() {
      kind.startAnew?.();
      sinceStep = null;
      startsAnew = true;
    },
    reports: () => [
      {
        path,
        kind: predicate.kind,
        holds: sinceStep !== null,
        since_step: sinceStep,
        share: roundUnit(isOld ? 0 : said.share),
        subjects: (said.subjects ?? []).slice(0, 8),
      },
      ...(kind.inner ?? []).flatMap((node) => node.reports()),
    ],
    sentences() {
      const own = sinceStep === null ? this.missing() : this.facts();
      return kind.inner ? [[], ...kind.inner.flatMap((node) => node.sentences())] : [own];
    },
    missing() {
      if (sinceStep !== null) return [];
      return isOld ? kind.facts().map((fact) => `${fact.slice(0, -1)} too early: this has to happen again.`) : kind.missing();
    },
    facts: () => (sinceStep === null ? [] : kind.facts()),
  };
}

function kindOf(predicate: Predicate, path: string, regions: Regions): Kind {
  const nodeAt = (of: Predicate, place: string): JudgedNode => createNode(of, `${path}.${place}`, regions);
  const nodesOf = (of: readonly Predicate[]): JudgedNode[] => of.map((one, at) => nodeAt(one, `of[${at}]`));
  switch (predicate.kind) {
    case 'all':
      return severalOf(nodesOf(predicate.of), predicate.of.length);
    case 'any':
      return severalOf(nodesOf(predicate.of), Math.min(predicate.of.length, predicate.at_least ?? 1));
    case 'not':
      return notOf(nodeAt(predicate.of, 'of'));
    case 'then':
      return thenOf(nodesOf(predicate.of));
    case 'while':
      return whileOf(nodeAt(predicate.condition, 'condition'), nodeAt(predicate.goal, 'goal'));
    case 'still_at_end':
      return stillOf(nodeAt(predicate.of, 'of'));
    default: {
      let seen: JudgedView | null = null;
      const missing = (): string[] => (seen === null ? [] : missingTexts(predicate, seen, regions));
      const facts = (subjects: readonly string[]): string[] => (seen === null ? [] : factTexts(predicate, seen, subjects));
      if (!EVENTS.has(predicate.kind)) {
        let found: readonly string[] = [];
        return {
          explain(view) {
            seen = view;
            const finding = judgeAtom(predicate, view, regions);
            found = finding.subjects;
            return finding;
          },
          missing,
          facts: () => facts(found),
        };
      }
      let happened: string[] | null = null;
      return {
        stays: true,
        missing,
        facts: () => facts(happened ?? []),
        explain(view) {
          seen = view;
          const { holds, subjects } = judgeAtom(predicate, view, regions);
          if (holds) happened ??= subjects;
          return { holds: happened !== null, holdsNow: holds, share: happened === null ? 0 : 1, subjects: happened ?? [] };
        },
        startAnew() {
          happened = null;
        },
      };
    }
  }
}

function severalOf(inner: readonly JudgedNode[], needed: number): Kind {
  return {
    inner,
    missing() {
      const lacking = inner.filter(({ holds }) => !holds);
      const toCome = needed - (inner.length - lacking.length);
      const sentences = lacking.flatMap((node) => node.missing());
      return toCome >= lacking.length ? sentences : [`Of these, ${toCome} is enough:`, ...sentences];
    },
    facts: () => inner.flatMap((node) => node.facts()),
    explain(view) {
      for (const node of inner) node.look(view);
      const best = inner
        .map(({ share }) => share)
        .sort((a, b) => b - a)
        .slice(0, needed);
      return {
        holds: inner.filter(({ holds }) => holds).length >= needed,
        holdsNow: inner.filter(({ holdsNow }) => holdsNow).length >= needed,
        share: best.reduce((sum, share) => sum + share, 0) / needed,
      };
    },
    startAnew() {
      for (const node of inner) if (hasEvents(node.predicate)) node.startAnew();
    },
  };
}

/** Returns whether a predicate, or one inside it, has a memory. */
function hasEvents(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.some(hasEvents);
    case 'not':
    case 'still_at_end':
      return hasEvents(predicate.of);
    case 'then':
    case 'while':
      return true;
    default:
      return EVENTS.has(predicate.kind);
  }
}

function notOf(inner: JudgedNode): Kind {
  return {
    inner: [inner],
    missing: () => inner.facts().map((fact) => `${fact.slice(0, -1)}, which must not be.`),
    facts: () => inner.missing(),
    explain(view) {
      inner.look(view);
      return { holds: !inner.holds, share: inner.holds ? 0 : 1 };
    },
    startAnew() {
      if (hasEvents(inner.predicate)) inner.startAnew();
    },
  };
}

/** One after the other; the last ones that are `still_at_end` hold at the end too. */
function thenOf(inner: readonly JudgedNode[]): Kind {
  let reached = 0;
  return {
    inner,
    missing: () =>
      inner[reached]?.missing() ?? inner.flatMap((node) => (node.predicate.kind === 'still_at_end' ? node.missing() : [])),
    facts: () => inner.flatMap((node) => node.facts()),
    explain(view) {
      for (const node of inner) node.look(view);
      while (reached < inner.length && inner[reached]?.isReached(view.step)) {
        reached += 1;
        // The next one has to come to hold from now on.
        inner[reached]?.startAnew();
        inner[reached]?.look(view);
      }
      const last = inner.filter(({ predicate }) => predicate.kind === 'still_at_end');
      const current = inner[reached]?.share ?? 0;
      return {
        holds: reached === inner.length && last.every(({ holds }) => holds),
        share: reached === inner.length ? 1 : (reached + Math.min(current, 0.99)) / inner.length,
      };
    },
    startAnew() {
      reached = 0;
      for (const node of inner) node.startAnew();
    },
  };
}

/** There was a moment at which both held. */
function whileOf(condition: JudgedNode, goal: JudgedNode): Kind {
  let happened = false;
  return {
    stays: true,
    inner: [condition, goal],
    missing() {
      const lacking = [...condition.missing(), ...goal.missing()];
      return lacking.length > 0 ? lacking : ['The goal and its condition did not hold at the same time.'];
    },
    facts: () => goal.facts(),
    explain(view) {
      condition.look(view);
      goal.look(view);
      happened ||= condition.holdsNow && goal.holdsNow;
      return { holds: happened, share: happened ? 1 : (condition.share + goal.share) / 4 };
    },
    startAnew() {
      happened = false;
      condition.startAnew();
      goal.startAnew();
    },
  };
}

function stillOf(inner: JudgedNode): Kind {
  return {
    inner: [inner],
    missing: () => inner.missing(),
    facts: () => inner.facts(),
    explain(view) {
      inner.look(view);
      return { holds: inner.holds, holdsNow: inner.holdsNow, share: inner.share };
    },
    startAnew() {
      inner.startAnew();
    },
  };
}
