import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Verdict } from '../../../protocol/files/verdict.ts';
import { STEPS_PER_SECOND } from '../../../protocol/wire/limits.ts';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { refusedScene } from '../../../protocol/wire/scene-outcome.ts';
import { initialState } from '../store.ts';
import type { Engine, ViewerState, Visit } from '../types.ts';
import { seenScene } from '../visitor/seen-scene.ts';
import { actionsAt } from './actions-at.ts';
import { createFilm, type Film } from './film.ts';
import { createPlayer, type Player } from './player.ts';
import type { FilmedAction, FromReplay, Judgement, ProofFacts } from './replay-messages.ts';

/** The state of a replay as the page shows it, updated at the pace of people. */
export interface ReplayState {
  /** Name of the file; null before there is one. */
  fileName: string | null;
  /** Null until the file is known to be a complete proof. */
  facts: ProofFacts | null;
  /** The result of the check; null while it runs. */
  judgement: Judgement | null;
  /** Whether the run, as replayed here, solved its task; null until the check is over, and for a run without a task. */
  verdict: Verdict | null;
  /** Sentences on what the run lacks for a pass. */
  missing: readonly string[];
  /** A sentence on why the check itself failed; null if it did not fail. */
  problem: string | null;
  /** Steps that have been replayed so far. */
  checkedSteps: number;
  /** Steps of the run before the shown moment. */
  positionStep: number;
  isPlaying: boolean;
  /** Simulated seconds per second. */
  speed: number;
  /** In the order in which they began. */
  actions: readonly FilmedAction[];
}

/** The engine of a page that shows the run of a proof. */
export interface ReplayEngine extends Engine {
  readonly replay: StoreApi<ReplayState>;
  /** Checks and shows a proof in place of the previous one. */
  open(fileName: string, text: string): void;
  /** Shows why a file could not be read. */
  refuse(fileName: string, problem: string): void;
  play(): void;
  pause(): void;
  seek(step: number): void;
  setSpeed(speed: number): void;
}

/** The worker that replays one run. */
export interface ReplayPort {
  start(proof: string, onMessage: (message: FromReplay) => void): void;
  terminate(): void;
}

export interface ReplayDeps {
  openWorker(): ReplayPort;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Calls a task periodically; returns a function that stops it. */
  every(periodMs: number, task: () => void): () => void;
}

const TELL_EVERY_MS = 100;
const CANNOT_CHECK =
  'The check could not be made: a part of this page did not load, or the browser ran out of memory. Reload the page.';
const ONLY_SHOWN = 'This page replays a finished run, which cannot be changed.';

const SHOWN: Visit = {
  access: 'watch',
  robotIsThere: true,
  offlineSinceMs: null,
  freshness: 'live',
  ageMs: null,
  lostShare: 0,
  isStopped: false,
  roundTripMs: null,
  isAnswered: true,
  stopProblem: null,
  stopDone: null,
  status: null,
  problem: null,
};

const NOTHING: ReplayState = {
  fileName: null,
  facts: null,
  judgement: null,
  verdict: null,
  missing: [],
  problem: null,
  checkedSteps: 0,
  positionStep: 0,
  isPlaying: true,
  speed: 1,
  actions: [],
};

/** Creates the engine of the replay page. It starts no robot, joins no room and stores nothing. */
export function createReplayEngine(deps: ReplayDeps): ReplayEngine {
  const store = createStore<ViewerState>(() => ({ ...initialState(), loading: [], visit: SHOWN }));
  const replay = createStore<ReplayState>(() => NOTHING);
  let film: Film = createFilm();
  let player: Player = createPlayer(deps.nowMs());
  let worker: ReplayPort | null = null;
  let place: ScenePlace | null = null;
  const actions = new Map<string, FilmedAction>();
  const stopReporting = deps.every(TELL_EVERY_MS, report);

  const position = (nowMs = deps.nowMs()): number => player.position(nowMs, film.lastStep());

  function open(fileName: string, text: string): void {
    forget();
    replay.setState({ ...NOTHING, fileName });
    store.setState({ phase: 'loading' });
    const opened = deps.openWorker();
    worker = opened;
    opened.start(text, (message) => {
      if (worker === opened) take(message);
    });
  }

  function forget(): void {
    worker?.terminate();
    worker = null;
    film = createFilm();
    player = createPlayer(deps.nowMs());
    actions.clear();
    place = null;
    store.setState({ ...initialState(), loading: [], visit: SHOWN });
  }

  function take(message: FromReplay): void {
    switch (message.kind) {
      case 'begun':
        replay.setState({ facts: message.facts });
        store.setState({ robot: { id: null, name: 'Replay' }, robotKind: message.facts.robot, profile: message.facts.profile });
        return;
      case 'place':
        film.addPlace(message.fromStep, message.place);
        return;
      case 'frames':
        takeFrames(message.frames, message.actions);
        return;
      case 'judged':
        replay.setState({ judgement: message.judgement, verdict: message.verdict, missing: message.missing });
        end();
        return;
      case 'failed':
        replay.setState({ problem: CANNOT_CHECK });
        end();
        return;
    }
  }

  function takeFrames(frames: Parameters<Film['add']>[0], changed: readonly FilmedAction[]): void {
    const isFirst = film.stateAt(0) === null;
    film.add(frames);
    for (const action of changed) actions.set(action.record.actionId, action);
    replay.setState({
      checkedSteps: film.lastStep(),
      ...(changed.length > 0 ? { actions: [...actions.values()] } : {}),
    });
    if (!isFirst) return;
    player.seek(0, deps.nowMs());
    store.setState({ phase: 'live' });
    report();
  }

  function end(): void {
    worker?.terminate();
    worker = null;
    report();
  }

  /** Returns whether the run is over and its end is shown. */
  function isAtEnd(nowMs: number): boolean {
    return worker === null && position(nowMs) >= film.lastStep();
  }

  function report(): void {
    const now = deps.nowMs();
    if (player.isPlaying() && film.lastStep() > 0 && isAtEnd(now)) player.pause(now, film.lastStep());
    const step = position(now);
    const state = film.stateAt(step);
    if (!state) return;
    replay.setState({ positionStep: step, isPlaying: player.isPlaying(), speed: player.speed() });
    const next = film.placeAt(step);
    if (next !== place) {
      place = next;
      store.setState(({ layoutVersion }) => ({ layoutVersion: layoutVersion + 1 }));
    }
    if (!place) return;
    const { facts } = replay.getState();
    const timeMs = (facts?.started_at_ms ?? 0) + (step / STEPS_PER_SECOND) * 1000;
    store.setState({ scene: seenScene(state, place, timeMs), actions: actionsAt([...actions.values()], step) });
  }

  return {
    store,
    replay,
    frames: { latest: () => film.stateAt(position()), overlay: () => film.overlayAt(position()) },
    layout: () => place,
    open,
    refuse(fileName, problem) {
      forget();
      replay.setState({ ...NOTHING, fileName, problem });
    },
    play() {
      const now = deps.nowMs();
      if (isAtEnd(now)) player.seek(0, now);
      player.play(now, film.lastStep());
      report();
    },
    pause() {
      player.pause(deps.nowMs(), film.lastStep());
      report();
    },
    seek(step) {
      player.seek(Math.max(0, Math.min(step, film.lastStep())), deps.nowMs());
      report();
    },
    setSpeed(speed) {
      player.setSpeed(speed, deps.nowMs(), film.lastStep());
      report();
    },
    connect: () => undefined,
    tryHere: () => undefined,
    openScene: () => Promise.resolve(refusedScene(ONLY_SHOWN)),
    heldKey: () => null,
    stop: () => undefined,
    emergencyStop: () => undefined,
    disconnect() {
      forget();
      replay.setState(NOTHING);
    },
    retry: () => undefined,
    capture: () => Promise.reject(new Error(ONLY_SHOWN)),
    call: () => Promise.reject(new Error(ONLY_SHOWN)),
    dispose() {
      stopReporting();
      worker?.terminate();
    },
  };
}
