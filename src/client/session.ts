import type { CancelsRepeated, ControlAsked, DriverChanged } from '../protocol/room/room-events.ts';
import type { RoomMetadata } from '../protocol/service/control-service.ts';
import type { CameraId } from '../protocol/wire/captures.ts';
import type { Driver } from '../protocol/wire/driver.ts';
import { EMERGENCY_STOP_METHOD } from '../protocol/wire/emergency-stop.ts';
import { CANCEL_ACTIVE, METHOD_PREFIX } from '../protocol/wire/methods.ts';
import type { SceneLayout, SceneState } from '../protocol/wire/scene.ts';
import type { SkillDescriptor } from '../protocol/wire/skill-descriptors.ts';
import type { SkillName } from '../protocol/wire/skills.ts';
import { Action } from './action.ts';
import type { ActionEvent, ActionResult } from './action-result.ts';
import type { ControlLease, TakeControlOptions, TakeOverOptions } from './control-lease.ts';
import type { EmergencyStopOptions, EmergencyStopped } from './emergency-stop.ts';
import { PlatformNotAvailableError, PlatformSDKError, RcwRuntimeError } from './errors.ts';
import { EventFeed } from './internal/action-events.ts';
import { cancelActive } from './internal/cancel-active.ts';
import { DriverLease } from './internal/driver-lease.ts';
import { runFollowed, tryFollowed } from './internal/followed-skill.ts';
import { guardCallback } from './internal/guard-callback.ts';
import { invokeSurely } from './internal/invoke.ts';
import { refuseJsonText, requireOptions, wrongTimeout } from './internal/payload.ts';
import { pressOverBothPaths } from './internal/press-both-paths.ts';
import { isActionResult, readActionResult } from './internal/read-result.ts';
import { inspectSymbol, REDACTED } from './internal/redact.ts';
import type { AskOptions, RoomLink } from './internal/room-link.ts';
import type { SessionParts } from './internal/session-parts.ts';
import { checkedReply, isSkillDescriptor, METHOD_OF_STATE } from './internal/state-reply.ts';
import { streamUpperBody } from './internal/stream-upper-body.ts';
import { VisionReceiver } from './internal/vision-receiver.ts';
import { randomId, sleep } from './internal/wait.ts';
import { whenReady } from './internal/when-ready.ts';
import type { CallOptions, DisconnectOptions, InvokeOptions, SceneFilter, States, VisionsOptions } from './session-options.ts';
import { SkillShortcuts } from './shortcuts.ts';
import type { AnySkill, ParamsOf, ResultOf, RobotKind } from './skill-types.ts';
import type { ArmPose, UpperBodyOptions, UpperBodyStream } from './upper-body.ts';
import type { Vision, VisionOptions } from './vision.ts';

/** The physical robot's contract answers a pose immediately, and a stop when the robot stands. */
const ARM_REPLY_MS = 5_000;
/** For the stop before the poses and the standstill after them: long enough to repeat the calls several times. */
const REST_REPLY_MS = 20_000;

/** The shape of a state, by its key; unknown for a key without a type. */
type StateOf<K extends string> = K extends keyof States ? States[K] : unknown;

/**
 * A robot's session: skills, state and pictures of the robot in its room. Created by `connect` and `joinRoom`. `K` is the robot
 * whose skills the types describe: with `rcwIdentityPrefix: 'rcw'` those of the physical robot's contract.
 */
export class PlatformSession<K extends RobotKind = 'simulator'> extends SkillShortcuts {
  /** Id of the robot. */
  readonly robotId: string;
  /** Name of the session's room; each session has its own. */
  readonly roomName: string;
  /** Address of the SFU that hosts the room, `ws://…` or `wss://…`. */
  readonly livekitUrl: string;
  /**
   * The service's facts about the room when the session was opened: robot, expected participants, keys whose signatures are
   * valid.
   */
  readonly roomMetadata: RoomMetadata;
  /** Reads the runtime's current state. */
  readonly state: {
    /** Reads a state. @throws RcwRuntimeError for a refusal or a reply of another shape; TimeoutError */
    get<S extends keyof States | (string & {})>(
      key: S,
      query?: S extends 'scene_state' ? SceneFilter : Readonly<Record<string, unknown>>,
      options?: CallOptions,
    ): Promise<StateOf<S>>;
    /** Returns the keys that `get` has types for. */
    list(): (keyof States)[];
  };
  readonly #parts: SessionParts;
  readonly #vision: VisionReceiver | null;
  readonly #driving: DriverLease | null;
  /** The action that the last cancel without an id ended. */
  #cancelledLast: string | null = null;
  #hasLeft = false;
  #hasEnded = false;
  #ending: Promise<void> | null = null;

  /** @internal */
  constructor(parts: SessionParts) {
    super();
    this.robotId = parts.robotId;
    this.roomName = parts.roomName;
    this.livekitUrl = parts.livekitUrl;
    this.roomMetadata = parts.roomMetadata;
    this.#parts = parts;
    this.#vision = parts.link ? new VisionReceiver(parts.link) : null;
    this.#driving = parts.link ? new DriverLease(parts.link, parts.logger) : null;
    this.state = {
      get: async (key, query = {}, options = {}) => {
        const method = Object.hasOwn(METHOD_OF_STATE, key) ? METHOD_OF_STATE[key as keyof States] : `${METHOD_PREFIX}${key}`;
        return checkedReply(method, await this.#link.read(method, query, this.#ask(options))) as never;
      },
      list: () => Object.keys(METHOD_OF_STATE) as (keyof States)[],
    };
  }

  /** Identity of this session in the room, by which others know it; null if the session has not joined the room. */
  get identity(): string | null {
    return this.#parts.identity;
  }

  /** Identity of the runtime in the room, null while there is none. */
  get runtimeIdentity(): string | null {
    return this.#parts.link?.runtime ?? null;
  }

  /**
   * Settles when a runtime is in the room and takes calls.
   * @param options.timeoutMs without it there is no limit
   * @throws TimeoutError, whose message names what was missing: no runtime in the room, or how far it has loaded
   */
  async waitUntilReady(options: CallOptions = {}): Promise<void> {
    await whenReady(this.#link, options, this.#parts.logger);
  }

  /**
   * Returns the skills of the runtime in the room, with the schemas of their inputs. Waits until a runtime has joined and loaded.
   * @throws TimeoutError, whose message names what was missing, as `waitUntilReady`
   */
  async discoverSkills(options: CallOptions = {}): Promise<SkillDescriptor[]> {
    const skills = await whenReady(this.#link, this.#ask(options), this.#parts.logger);
    if (skills.every(isSkillDescriptor)) return skills;
    throw new RcwRuntimeError('INTERNAL', 'The reply of the runtime is not a list of skills. Check what is in the room.');
  }

  /**
   * Runs a skill and returns the end of the action, `done` or `failed`. The call always carries an action id. If the reply gets
   * lost, the session asks for it by this id, and the skill runs only once.
   * @throws RcwRuntimeError when the call did not become an action (`INVALID_INPUT`, `BUSY`, `NOT_READY` …), unless `connect` was
   * given `returnRefusals`; TimeoutError when the action has not ended in time; it may still run
   */
  async invoke<N extends AnySkill>(
    skill: N,
    params: ParamsOf<N, K>,
    options: InvokeOptions = {},
  ): Promise<ActionResult<ResultOf<N, K>>> {
    // The schema of the skill is the runtime's promise; `discoverSkills` describes other runtimes.
    return (await this.#run(skill, () => params, options)) as ActionResult<ResultOf<N, K>>;
  }

  async #run(skill: string, paramsOf: () => object, options: InvokeOptions): Promise<ActionResult> {
    const run = this.#parts.returnRefusals ? tryFollowed : runFollowed;
    return run(this.#parts, this.#link, skill, paramsOf, options);
  }

  /**
   * Runs a skill as `invoke` does, and also returns a refusal as a failed result: `error` has the code, message and details that
   * the `RcwRuntimeError` would have, and `onActionResult` receives the result.
   * @throws TimeoutError when the action has not ended in time; it may still run
   */
  async tryInvoke<N extends AnySkill>(
    skill: N,
    params: ParamsOf<N, K>,
    options: InvokeOptions = {},
  ): Promise<ActionResult<ResultOf<N, K>>> {
    return (await tryFollowed(this.#parts, this.#link, skill, () => params, options)) as ActionResult<ResultOf<N, K>>;
  }

  /**
   * Starts a skill without waiting for its end: iterate the action for its events, await its `result`, or `cancel()` it.
   * @example for await (const event of session.start('go_to', params)) console.log(event.phase);
   */
  start<N extends AnySkill>(skill: N, params: ParamsOf<N, K>, options: InvokeOptions = {}): Action<ResultOf<N, K>> {
    const actionId = options.actionId ?? randomId('act');
    const events = new EventFeed<ActionEvent<ResultOf<N, K>>>();
    const notify = guardCallback(options, 'onEvent', this.#parts.logger);
    const onEvent = (event: ActionEvent) => {
      events.push(event as ActionEvent<ResultOf<N, K>>);
      notify?.(event);
    };
    const result = this.invoke(skill, params, { ...options, actionId, onEvent });
    return new Action(actionId, result, events, () => this.#cancelOrReport(actionId));
  }

  /** @internal */
  protected override async shortcut<N extends SkillName, O extends InvokeOptions>(
    form: string,
    skill: N,
    given: O,
    paramsOf: (given: O) => ParamsOf<N>,
  ): Promise<ActionResult<ResultOf<N>>> {
    if (this.runtimeIdentity !== null && this.#link.holds(this.runtimeIdentity)) throw notOfThisContract(form);
    const params = () => {
      requireOptions(given, form);
      return Object.fromEntries(Object.entries(paramsOf(given)).filter(([, value]) => value !== undefined));
    };
    return (await this.#run(skill, params, given)) as ActionResult<ResultOf<N>>;
  }

  async #cancelOrReport(actionId: string): Promise<ActionResult> {
    try {
      return await this.cancelAction(actionId);
    } catch (error) {
      if (!(error instanceof RcwRuntimeError && error.code === 'ACTION_NOT_FOUND')) throw error;
      const ended = await this.getAction(actionId);
      if (ended) return ended;
      throw error;
    }
  }

  /**
   * Returns the runtime's knowledge of an action, by its id: its end, or null while it runs. Use it after an `invoke` that timed
   * out.
   * @throws RcwRuntimeError `ACTION_NOT_FOUND` when the runtime does not know the action, or has forgotten it (after 10 minutes
   * and 256 actions)
   */
  async getAction(actionId: string, options: CallOptions = {}): Promise<ActionResult | null> {
    const said = await this.#link.read('runtime.action', { action_id: actionId }, this.#ask(options));
    const reply = checkedReply('runtime.action', said);
    return isActionResult(reply, actionId) ? readActionResult(reply) : null;
  }

  /**
   * Cancels an action and returns its end once the robot stands (`failed`, `CANCELLED`).
   * @param actionId `cancel-active` (default) means the active action
   * @throws RcwRuntimeError `ACTION_NOT_FOUND` when no such action is active
   */
  async cancelAction(actionId: string = CANCEL_ACTIVE, options: CallOptions = {}): Promise<ActionResult> {
    if (actionId === CANCEL_ACTIVE) {
      const ended = readActionResult(await cancelActive(this.#link, this.#cancelledLast, this.#ask(options)));
      this.#cancelledLast = ended.action_id;
      return ended;
    }
    // A cancel that names its action may be repeated without risk.
    const reply = await this.#link.read('runtime.cancel', { options: { action_id: actionId } }, this.#ask(options));
    return readActionResult(reply);
  }

  /**
   * Presses the robot's emergency stop over all paths in parallel, over the room (signed if control is signed) and over HTTP.
   * Settles when the first path confirms that the robot stands. The robot then rejects every command until a person at its page
   * releases the stop; a program cannot release it. Safe to repeat.
   * @throws EmergencyStopError when no path confirms that the robot stands: look at the robot, and stop it in another way
   */
  emergencyStop(options: EmergencyStopOptions = {}): Promise<EmergencyStopped> {
    return pressOverBothPaths(this.#parts.link, this.#parts.pressOverHttp, options);
  }

  /** Returns the current driver; null if no one drives, so that any participant may command the robot. */
  async driver(options: CallOptions = {}): Promise<Driver | null> {
    return (await this.state.get('robot_status', {}, options)).robot.extra.driver ?? null;
  }

  /**
   * Takes the robot: commands of others are rejected from then on, and their actions end. The lease is renewed automatically
   * until it is released, given away, lost, or the session ends. With `over`, also takes it from another driver, by an order of
   * the owner over HTTP.
   * @throws NotControllerError while another participant drives; with `over`, PlatformAPIError and what else
   * `client.robots.takeControl` throws
   */
  async takeControl(options: TakeOverOptions = {}): Promise<ControlLease> {
    return this.#lease.take(options, this.#ask(options), this.#parts.orderSelf);
  }

  /**
   * Asks the current driver for the robot, and settles when the driver gives it or no one drives.
   * @throws TimeoutError when that does not happen within `timeoutMs`; the signal's reason. The request is then withdrawn
   */
  async askForControl(options: TakeControlOptions = {}): Promise<ControlLease> {
    return this.#lease.ask(options, this.#ask(options));
  }

  /** Calls the listener at each change of the driver. @returns a function that removes the listener */
  onDriverChanged(listener: (event: DriverChanged) => void): () => void {
    return this.#lease.on('driverChanged', listener);
  }

  /**
   * Calls the listener when a participant asks the driver for the robot; `lease.give(event.asker.identity)` gives it.
   * @returns a function that removes the listener
   */
  onControlAsked(listener: (event: ControlAsked) => void): () => void {
    return this.#lease.on('controlAsked', listener);
  }

  /**
   * Calls the listener when a participant stops the actions of others repeatedly: eight times in 10 s.
   * @returns a function that removes the listener
   */
  onCancelsRepeated(listener: (event: CancelsRepeated) => void): () => void {
    return this.#lease.on('cancelsRepeated', listener);
  }

  /**
   * Poses the arms of a physical robot's contract for as long as there are poses. Stops the drive, sends the current pose on a
   * timer, and ends with the standing pose and a zero velocity, also after a failure. Suits poses held still and poses in motion;
   * each is repeated until the next one comes.
   * @throws RcwRuntimeError when the robot rejects a pose; TimeoutError when it has answered no pose for 5 s; what `poses` throws
   */
  streamUpperBody(poses: AsyncIterable<ArmPose> | Iterable<ArmPose>, options: UpperBodyOptions = {}): Promise<UpperBodyStream> {
    const link = this.#link;
    const pose = async (input: Readonly<Record<string, unknown>>) => {
      const payload = { name: 'set_upper_body', input, options: { action_id: randomId('arm') } };
      return readActionResult(await link.askOnce('runtime.tools_call', payload, { timeoutMs: ARM_REPLY_MS }));
    };
    const surely = (skill: string, params: Readonly<Record<string, unknown>>) =>
      invokeSurely(link, { skill, params, actionId: randomId('arm') }, { timeoutMs: REST_REPLY_MS });
    const begin = () =>
      link.choosePoseWay(async () => (await this.state.get('robot_status')).robot.extra.control?.pose_packets === true);
    return streamUpperBody({ begin, pose, surely }, poses, options);
  }

  /** Returns the entities in the scene and their poses: robot, things, pads. */
  scene(filter: SceneFilter = {}, options: CallOptions = {}): Promise<SceneState> {
    return this.state.get('scene_state', filter, options);
  }

  /** Returns the fixed parts of the scene: bounds, obstacles, pads, slots. */
  layout(options: CallOptions = {}): Promise<SceneLayout> {
    return this.state.get('scene_layout', {}, options);
  }

  /** Returns what the runtime can do: cameras, captures, limits, simulation controls, promises kept. */
  getCapabilities(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.state.get('capabilities', {}, options);
  }

  /**
   * Takes a picture with a robot's camera and checks its bytes by length and hash.
   * @throws RcwRuntimeError when the capture fails, `NOT_READY` when the cameras are not loaded in time; TimeoutError
   */
  async getVision(camera: CameraId | (string & {}) = 'pov', options: VisionOptions & CallOptions = {}): Promise<Vision> {
    const { timeoutMs, signal, ...picture } = options;
    if (!this.#vision) throw notJoined();
    return this.#vision.capture(camera, picture, this.#ask({ timeoutMs, signal }));
  }

  /** Takes pictures one after another while the caller reads them. Leave the loop, or abort the signal, to end it. */
  async *visions(
    camera: CameraId | (string & {}) = 'pov',
    options: VisionsOptions = {},
  ): AsyncGenerator<Vision, void, undefined> {
    const { intervalMs = 0, ...picture } = options;
    for (;;) {
      const nextMs = performance.now() + intervalMs;
      yield await this.getVision(camera, picture);
      await sleep(Math.max(0, nextMs - performance.now()), options.signal);
    }
  }

  /** Calls any method of the runtime once, e.g. `runtime.manifest`. @throws RcwRuntimeError for a guard; TimeoutError */
  async call(method: string, payload: unknown = {}, options: CallOptions = {}): Promise<unknown> {
    if (method !== EMERGENCY_STOP_METHOD) {
      refuseJsonText(payload, `The payload of ${method}`);
      return this.#link.askOnce(method, payload, this.#ask(options));
    }
    // A wrong option must not keep an emergency stop from the robot.
    const { timeoutMs, signal } = options;
    const waitMs = timeoutMs === undefined || wrongTimeout(timeoutMs) !== null ? this.#parts.callTimeoutMs : timeoutMs;
    return this.#link.askOnce(method, payload, { timeoutMs: waitMs, signal });
  }

  /** Not available. @throws PlatformNotAvailableError always */
  getLogs(): Promise<never> {
    return Promise.reject(
      new PlatformNotAvailableError(
        'get_logs',
        'the platform keeps no logs of a robot yet; the state robot_status has the last action',
      ),
    );
  }

  /**
   * Leaves the room, closes it and deletes the session, which disconnects everyone in it. A second call does nothing. After the
   * last session of a Node program is left, the program can exit.
   */
  async disconnect(options: DisconnectOptions = {}): Promise<void> {
    // Concurrent callers wait for the same end. If it fails, the next caller tries again.
    while (this.#ending !== null) await this.#ending.catch(() => {});
    const ending = this.#end(options);
    this.#ending = ending;
    try {
      await ending;
    } finally {
      this.#ending = null;
    }
  }

  async #end(options: DisconnectOptions): Promise<void> {
    if (!this.#hasLeft) {
      this.#hasLeft = true;
      await this.#driving?.leave();
      await this.#parts.link?.leave();
    }
    if (this.#hasEnded) return;
    if (!(options.keepSession ?? this.#parts.keepSession)) await this.#parts.endSession(options.signal);
    this.#hasEnded = true;
  }

  /** Disconnects at the end of the block: `await using session = await connect(…)`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  get #link(): RoomLink {
    if (!this.#parts.link) throw notJoined();
    return this.#parts.link;
  }

  get #lease(): DriverLease {
    if (!this.#driving) throw notJoined();
    return this.#driving;
  }

  /** @throws RangeError for a timeout that is not above 0 */
  #ask(options: CallOptions): AskOptions {
    const timeoutMs = options.timeoutMs ?? this.#parts.callTimeoutMs;
    const wrong = wrongTimeout(timeoutMs);
    if (wrong !== null) throw new RangeError(wrong);
    return { timeoutMs, signal: options.signal };
  }

  /** Returns robot, room and runtime, without credentials. */
  override toString(): string {
    return `PlatformSession(robotId=${this.robotId}, roomName=${this.roomName}, runtime=${this.runtimeIdentity}, token=${REDACTED})`;
  }

  /** Returns robot and room for JSON, without credentials. */
  toJSON(): { robotId: string; roomName: string } {
    return { robotId: this.robotId, roomName: this.roomName };
  }

  /** The same as `toString`, for `console.log` in Node. */
  [inspectSymbol](): string {
    return this.toString();
  }
}

/** A call that names a duration must not become a velocity without an end. */
const notOfThisContract = (form: string): PlatformSDKError =>
  new PlatformSDKError(
    `This robot keeps the physical robot's contract, and ${form.replace(/\(.*/, '')} is a method for the simulator's. Call invoke with a skill of discoverSkills; its set_velocity holds until stop.`,
  );

const notJoined = (): PlatformSDKError =>
  new PlatformSDKError('The room of this session is not joined. Connect with joinLivekit: true.');
