import type { RobotAccess, SkillReply } from '../../agent-tools/robot-access.ts';
import { frameOf } from '../../protocol/capture-frame.ts';
import { commandKind } from '../../protocol/command-kinds.ts';
import { DRIVER_RENEW_MS, type Driver, readControlAnswer, saidDriver } from '../../protocol/driver.ts';
import { isRecord } from '../../protocol/schema-texts.ts';
import type { RuntimeState } from '../../protocol/state.ts';
import type { Engine } from '../engine/types.ts';

/** The robot of this page, for an agent in the browser. */
export interface PageRobot {
  access: RobotAccess;
  /** Stops renewing the agent's lease, which then expires. */
  dispose(): void;
}

/** Shown as the identity of a person at the page who drives; the agent at the page has null. */
const PERSON_AT_PAGE = 'page';

/**
 * Whether the agent drives. It shares the page's lease with the person at the page, so only the kind distinguishes the two.
 */
export const isAgentOfPage = ({ identity, kind }: Pick<Driver, 'identity' | 'kind'>): boolean =>
  identity === null && kind === 'agent';

/**
 * Creates the access of an agent to the robot of its page. The runtime accepts every command of the page, also while another
 * drives. Therefore the access itself rejects motions then.
 */
export function createPageRobot(engine: Engine): PageRobot {
  let renewing: ReturnType<typeof setInterval> | null = null;

  async function otherDriver(): Promise<Driver | null> {
    const state = (await engine.call('runtime.state', {})) as Partial<RuntimeState>;
    const driver = state.robot?.extra.driver ?? null;
    return driver === null || isAgentOfPage(driver) ? null : driver;
  }

  /** Whether a person at the page moves the robot by manual control. */
  function isSteered(): boolean {
    return engine.store.getState().actions.some(({ status, stroke }) => status === 'running' && stroke !== undefined);
  }

  async function renew(): Promise<void> {
    const reply = await engine.call('runtime.control', { action: 'renew' }).catch(() => null);
    const driver = readControlAnswer(reply)?.driver;
    if (!driver || !isAgentOfPage(driver)) stopRenewing();
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
      if (kind !== 'stop' && kind !== 'read') {
        const other = await otherDriver();
        if (other) return refusalFor(other);
        if (isSteered()) return refusal(STEERED);
      }
      const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
      return (await engine.call('runtime.tools_call', { name: skill, input, options })) as SkillReply;
    },
    async read(method, payload = {}) {
      const reply = await engine.call(method, payload);
      return method === 'runtime.state' ? withPersonApart(reply) : reply;
    },
    cancel: (actionId) => engine.call('runtime.cancel', { options: { action_id: actionId } }),
    async control(request) {
      const other = await otherDriver();
      if (other) return refusalFor(other);
      // `take` of the page displaces a driver. `ask` takes the lease only while it is free.
      const action = request.action === 'take' ? 'ask' : request.action;
      const reply = await engine.call('runtime.control', { ...request, action });
      const driver = readControlAnswer(reply)?.driver ?? null;
      if (driver === null || !isAgentOfPage(driver)) stopRenewing();
      else renewing ??= setInterval(() => void renew(), DRIVER_RENEW_MS);
      if (driver === null || isAgentOfPage(driver) || request.action === 'give') return reply;
      // Another began to drive between the two calls.
      if (driver.identity !== null) await engine.call('runtime.control', { action: 'release' });
      return refusalFor(driver);
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

const STEERED = 'Rejected: the person at the page moves this robot by manual control. Wait until it stands.';

/** Returns the rejection of a command because another drives. */
function refusalFor(driver: Driver): SkillReply {
  const since = new Date(driver.since_ms).toISOString();
  return refusal(
    `Rejected: ${saidDriver(driver)} drives this robot since ${since}. Wait until no one drives; robot_status shows the driver.`,
  );
}

const refusal = (message: string): SkillReply => ({
  status: 'failed',
  error: { code: 'NOT_CONTROLLER', message, details: { attempted: false, world_changed: 'no' } },
});

/** Returns a state in which a person at the page who drives has another identity than the agent. */
function withPersonApart(state: unknown): unknown {
  if (!isRecord(state) || !isRecord(state.robot) || !isRecord(state.robot.extra)) return state;
  const { driver } = state.robot.extra;
  if (!isRecord(driver) || driver.identity !== null || driver.kind === 'agent') return state;
  const person = { ...driver, identity: PERSON_AT_PAGE };
  return { ...state, robot: { ...state.robot, extra: { ...state.robot.extra, driver: person } } };
}
