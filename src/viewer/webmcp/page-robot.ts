import type { RobotAccess, SkillReply } from '../../agent-tools/robot-access.ts';
import { isRecord } from '../../common/schema-texts.ts';
import { frameOf } from '../../protocol/wire/capture-frame.ts';
import { commandKind } from '../../protocol/wire/command-kinds.ts';
import { type ControlRequest, DRIVER_RENEW_MS, readControlAnswer } from '../../protocol/wire/driver.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import type { Engine } from '../engine/types.ts';

/** The robot of this page, for an agent in the browser. */
export interface PageRobot {
  access: RobotAccess;
  /** Stops renewing the agent's lease, which then expires. */
  dispose(): void;
}

/** Shown as the identity of a person at the page who drives; the agent at the page has null. */
const PERSON_AT_PAGE = 'page';
/** A request for the robot stays open this long. */
const ASK_MAX_MS = 600_000;

/**
 * Creates the access of an agent to the robot of its page. Its calls carry a mark, by which the runtime distinguishes the agent
 * from the person at the page. So the runtime itself rejects a motion while another drives.
 */
export function createPageRobot(engine: Engine): PageRobot {
  let renewing: ReturnType<typeof setInterval> | null = null;
  let isDriving = false;

  const call = (method: MethodName, payload: unknown): Promise<unknown> => engine.call(method, payload, 'agent');

  /** Whether a person at the page moves the robot by manual control, which needs no lease. */
  function isSteered(): boolean {
    return engine.store.getState().actions.some(({ status, stroke }) => status === 'running' && stroke !== undefined);
  }

  /** Repeats a request for the robot until it is answered, and renews a lease that the agent has. */
  function keep(request: ControlRequest): void {
    const untilMs = performance.now() + ASK_MAX_MS;
    stopRenewing();
    renewing = setInterval(async () => {
      if (!isDriving && performance.now() > untilMs) return stopRenewing();
      const wasDriving = isDriving;
      // A request would take the robot from a person who has begun to steer.
      if (!wasDriving && isSteered()) return;
      const reply = await call('runtime.control', wasDriving ? { action: 'renew' } : request).catch(() => null);
      isDriving = readControlAnswer(reply)?.you_drive === true;
      if (wasDriving && !isDriving) stopRenewing();
    }, DRIVER_RENEW_MS);
  }

  function stopRenewing(): void {
    if (renewing !== null) clearInterval(renewing);
    renewing = null;
  }

  const access: RobotAccess = {
    get profile() {
      return engine.store.getState().profile;
    },
    identity: null,
    async invoke(skill, input, { actionId, deadlineS }) {
      const kind = commandKind(skill, input);
      if (kind !== 'stop' && kind !== 'read' && isSteered()) return STEERED;
      const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
      return (await call('runtime.tools_call', { name: skill, input, options })) as SkillReply;
    },
    async read(method, payload = {}) {
      const reply = await call(method, payload);
      return method === 'runtime.state' ? withPersonApart(reply) : reply;
    },
    cancel: (actionId) => call('runtime.cancel', { options: { action_id: actionId } }),
    async control(request) {
      const isWanted = request.action === 'take' || request.action === 'ask';
      // A change of the driver would end the motion of a person who steers.
      if (isWanted && isSteered()) return STEERED;
      const reply = await call('runtime.control', request);
      const answer = readControlAnswer(reply);
      // A rejection changes nothing.
      if (answer === null) return reply;
      isDriving = answer.you_drive;
      if (isWanted) keep({ ...request, action: 'ask' });
      else stopRenewing();
      return reply;
    },
    async takePicture(camera, { widthPx, heightPx, quality }) {
      if (!engine.draw) throw new Error('This page cannot take pictures.');
      const { renderState, jpeg, entities } = await engine.draw(camera, widthPx, heightPx, quality);
      const frame = frameOf(renderState, camera, widthPx, heightPx);
      return { reply: { status: 'done', result: { frame, entities: entities ?? [] } }, jpeg };
    },
  };
  return { access, dispose: stopRenewing };
}

const STEERED: SkillReply = {
  status: 'failed',
  error: {
    code: 'NOT_CONTROLLER',
    message: 'Rejected: the person at the page moves this robot by manual control. Wait until it stands.',
    details: { attempted: false, world_changed: 'no' },
  },
};

/** Returns a state in which a person at the page who drives has another identity than the agent. */
function withPersonApart(state: unknown): unknown {
  if (!isRecord(state) || !isRecord(state.robot) || !isRecord(state.robot.extra)) return state;
  const { driver } = state.robot.extra;
  if (!isRecord(driver) || driver.identity !== null || driver.kind === 'agent') return state;
  const person = { ...driver, identity: PERSON_AT_PAGE };
  return { ...state, robot: { ...state.robot, extra: { ...state.robot.extra, driver: person } } };
}
