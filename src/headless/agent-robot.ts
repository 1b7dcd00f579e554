import type { AgentPicture, RobotAccess, SkillReply } from '../agent-tools/robot-access.ts';
import { SentenceError } from '../common/sentence-error.ts';
import type { TaskFile } from '../protocol/files/task-file.ts';
import { AGENT_ROBOT_ID } from '../protocol/service/agent-watch.ts';
import type { ControlRequest } from '../protocol/wire/driver.ts';
import { DRIVER_RENEW_MS, readControlAnswer } from '../protocol/wire/driver.ts';
import type { MethodName } from '../protocol/wire/methods.ts';
import type { RobotId } from '../protocol/wire/robot.ts';
import { NOBODY_WATCHES, type WatcherUpdate } from '../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../protocol/world-stream/world-frame.ts';
import type { SentJpeg } from '../runtime/host/carry-out-capture.ts';
import { proofText } from '../tasks/proof-text.ts';
import { createRun, type Run, UNPROVABLE } from '../tasks/recorded-run.ts';
import type { Log } from '../worker/log.ts';
import { type Body, createBody } from '../worker/robot/body.ts';
import type { BodyPictures } from '../worker/robot/body-cameras.ts';
import { productVersion } from './product-version.ts';
import { scenesWith } from './scene-file.ts';

/** The world of an agent's robot. */
export interface AgentWorld {
  modelId: RobotId;
  sceneId: string;
  seed: number;
  /** The task by which the run is judged; it names the scene. Null: no task. */
  task: TaskFile | null;
  /** The text of the scene's file, for a scene that the product does not have. */
  sceneFile: string | null;
}

export interface AgentRobotOptions {
  world: AgentWorld;
  /** Draws for the cameras; null: it has none. */
  pictures: BodyPictures | null;
  /** The folder in which world and actions are kept over restarts; null: they are not kept. */
  worldsDir: string | null;
  log: Log;
  /** Receives the packets of the world while it is watched. */
  sendWorld?: (packets: readonly WorldPacket[]) => void;
}

/** A simulated robot in this process for one agent: real time, no room, no server. */
export interface AgentRobot {
  readonly access: RobotAccess;
  readonly world: AgentWorld;
  /** Returns the proof of the run of the task so far, or a sentence on why there is none. */
  proof(): { text: string } | { missing: string };
  /** Replaces the world. Calls that wait are rejected. Settles when the new robot takes calls. */
  restart(world: AgentWorld): Promise<void>;
  /** Notes who watches: the world is sent only while someone does. */
  watchers(update: WatcherUpdate): void;
  /** Stops the robot, keeps its world if requested, and frees it. */
  end(): Promise<void>;
}

/** The identity of the agent's calls. */
const AGENT = 'agent';
/** Room and robot have these names in files. */
const PLACE = { sfuUrl: '', token: '', room: 'agent', robotId: AGENT_ROBOT_ID };
const STOPPED_BY = 'the agent tools, which end';

/** Starts the robot. It answers reads at once; skills wait until it has loaded. */
export function startAgentRobot({
  pictures,
  worldsDir,
  log,
  sendWorld = () => undefined,
  ...options
}: AgentRobotOptions): AgentRobot {
  let { world } = options;
  let watchers = NOBODY_WATCHES;
  let live = begin(worldsDir === null);
  let requests = 0;
  let renewing: NodeJS.Timeout | null = null;
  let replacing: Promise<void> = Promise.resolve();
  let hasEnded = false;
  const pictureStreams = new Map<string, Uint8Array | null>();

  interface Live {
    body: Body;
    run: Run | null;
    ready: Promise<void>;
    /** Settles like the promise, but rejects when the world is replaced or breaks. */
    unlessOver<T>(promise: Promise<T>): Promise<T>;
    leave(why: Error): void;
  }

  function begin(isFresh: boolean): Live {
    const { modelId, sceneId, seed, task, sceneFile } = world;
    let noteReady = (): void => undefined;
    // A race with one promise for the whole life of the world would keep every reply in memory.
    const waiting = new Set<(why: Error) => void>();
    let ended: Error | null = null;
    function leave(why: Error): void {
      ended ??= why;
      for (const reject of waiting) reject(ended);
    }
    const ready = new Promise<void>((resolve) => {
      noteReady = resolve;
    });
    const order = {
      place: PLACE,
      profile: 'simulator' as const,
      modelId,
      sceneId: task?.scene ?? sceneId,
      seed,
      productVersion: productVersion(),
      signedOnly: false,
      worldsDir,
      isFresh,
    };
    const started: Live = {
      run: null,
      ready,
      unlessOver: (promise) =>
        new Promise((resolve, reject) => {
          const settle = (end: () => void): void => {
            waiting.delete(reject);
            end();
          };
          if (ended) reject(ended);
          else waiting.add(reject);
          promise.then(
            (value) => settle(() => resolve(value)),
            (thrown) => settle(() => reject(thrown)),
          );
        }),
      leave,
      body: createBody(
        order,
        (entry) => {
          if (entry.event === 'robot_ready') noteReady();
          log(entry);
        },
        { report: () => undefined, sendWorld, sendJpeg: takeJpeg, nameOf: () => null },
        {
          scenes: scenesWith(sceneFile),
          pictures,
          ...(task === null
            ? {}
            : {
                makeRuntime(deps) {
                  started.run = createRun({ ...deps, task, ...(sceneFile === null ? {} : { sceneFile }) });
                  return started.run.runtime;
                },
              }),
        },
      ),
    };
    started.body.over.then(
      () => leave(new Error('The robot has ended.')),
      (thrown) => {
        log({ level: 'error', event: 'robot_broke', message: thrown instanceof Error ? thrown.message : String(thrown) });
        leave(new SentenceError('The simulation broke. Unless this is an exam, call start_over for a new world.'));
      },
    );
    return started;
  }

  /** Keeps a picture for its call. A call of a world that was replaced waits for no picture. */
  async function takeJpeg({ name, bytes }: SentJpeg): Promise<void> {
    if (pictureStreams.has(name)) pictureStreams.set(name, bytes);
  }

  /** @throws SentenceError when the world is replaced before the answer */
  async function call(method: MethodName, payload: object): Promise<unknown> {
    requests += 1;
    const { body, unlessOver } = live;
    const text = body.handle({
      requestId: `request-${requests}`,
      method,
      payload: JSON.stringify(payload),
      callerIdentity: AGENT,
    });
    return JSON.parse(await unlessOver(text));
  }

  async function whenReady(): Promise<void> {
    await live.unlessOver(live.ready);
  }

  async function renew(): Promise<void> {
    const answer = readControlAnswer(await call('runtime.control', { action: 'renew' }).catch(() => null));
    if (answer?.you_drive !== true) stopRenewing();
  }

  function stopRenewing(): void {
    if (renewing) clearInterval(renewing);
    renewing = null;
  }

  const access: RobotAccess = {
    profile: 'simulator',
    identity: AGENT,
    async invoke(skill, input, { actionId, deadlineS }) {
      await whenReady();
      const deadline = deadlineS === undefined ? {} : { deadline_s: deadlineS };
      const options = { action_id: actionId, ...deadline };
      return (await call('runtime.tools_call', { name: skill, input, options })) as SkillReply;
    },
    read: (method, payload = {}) => call(method, payload),
    cancel: (actionId) => call('runtime.cancel', { options: { action_id: actionId } }),
    async control(request: ControlRequest) {
      await whenReady();
      const reply = await call('runtime.control', request);
      if (readControlAnswer(reply)?.you_drive !== true) stopRenewing();
      else if (renewing === null) renewing = setInterval(() => void renew(), DRIVER_RENEW_MS).unref();
      return reply;
    },
    async takePicture(camera, { widthPx, heightPx, quality }): Promise<AgentPicture> {
      await whenReady();
      requests += 1;
      const id = `picture-${requests}`;
      pictureStreams.set(id, null);
      try {
        const reply = await call('runtime.cameras_capture', {
          selector: { kind: 'id', id: camera },
          options: { width: widthPx, height: heightPx, quality, annotations: ['boxes'] },
          stream: { id },
        });
        return { reply, jpeg: pictureStreams.get(id) ?? null };
      } finally {
        pictureStreams.delete(id);
      }
    },
  };

  async function replace(next: AgentWorld): Promise<void> {
    if (hasEnded) throw new SentenceError('The robot has ended.');
    stopRenewing();
    const before = live;
    await before.body.forget().catch(() => undefined);
    before.leave(new SentenceError('The world was started over, and this call ended with the world before.'));
    before.body.dispose();
    world = next;
    live = begin(true);
    live.body.watchers({ ...watchers, isNew: watchers.present });
    await whenReady();
  }

  return {
    access,
    get world() {
      return world;
    },
    proof() {
      if (live.run === null) return { missing: 'This run has no proof: it has no task, or the robot did not load.' };
      const proved = live.run.proof();
      return proved.ok ? { text: proofText(proved.proof) } : { missing: UNPROVABLE[proved.reason] };
    },
    restart(next) {
      // One after another: two at once would both replace the same world, and one of the new ones would never end.
      replacing = replacing.catch(() => undefined).then(() => replace(next));
      return replacing;
    },
    watchers(update) {
      watchers = update;
      live.body.watchers(update);
    },
    async end() {
      hasEnded = true;
      stopRenewing();
      const { body } = live;
      await body.brake(STOPPED_BY, true);
      await body.keep(true).catch(() => undefined);
      body.dispose();
    },
  };
}
