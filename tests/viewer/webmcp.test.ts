import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import type { PageMark } from '../../src/protocol/wire/caller.ts';
import { DRIVER_RENEW_MS, type DriverFacts } from '../../src/protocol/wire/driver.ts';
import type { Engine, ViewerState } from '../../src/viewer/engine/types.ts';
import { type ModelContext, type ModelTool, offerTools } from '../../src/viewer/webmcp/offer-tools.ts';
import { createTestRuntime } from '../runtime/test-runtime.ts';

const PERSON: DriverFacts = { identity: null, name: 'page', kind: 'program', since_ms: 0 };
const AGENT: DriverFacts = { identity: null, name: 'Agent', kind: 'agent', since_ms: 0 };

let end = (): void => undefined;
afterEach(() => {
  end();
  vi.useRealTimers();
});

/**
 * A page with a robot, of which the test controls the driver and the replies, and a browser with WebMCP.
 * @param answer replies instead
 */
function pageWithRobot(answer?: (method: string, payload: unknown, mark: PageMark) => unknown) {
  const calls: { method: string; payload: Record<string, unknown>; mark: unknown }[] = [];
  let driver: DriverFacts | null = null;
  let moving: ((reply: object) => void) | null = null;
  const store = createStore(
    () => ({ phase: 'loading', profile: 'simulator', robotKind: 'humanoid', task: null, actions: [] }) as unknown as ViewerState,
  );
  const failed = (code: string) => ({ status: 'failed', error: { code, message: 'Ended.', details: {} } });
  const engine = {
    store,
    async call(method: string, payload: Record<string, unknown>, mark: PageMark) {
      calls.push({ method, payload, mark });
      if (answer) return answer(method, payload, mark);
      if (method === 'runtime.state')
        return {
          runtime: {},
          robot: {
            pose: { position: [1, 2, 0], yaw_deg: 90 },
            status: 'ready',
            held_entity_ids: [],
            extra: { driver },
          },
        };
      if (method === 'runtime.control') {
        const { action } = payload;
        const isOther = driver !== null && driver !== AGENT;
        if (isOther && action === 'take') return failed('NOT_CONTROLLER');
        if (action === 'ask' || action === 'take') driver ??= AGENT;
        if (action === 'release' && !isOther) driver = null;
        const answer = { driver: driver && { ...driver, asked_by: [] }, you_drive: driver === AGENT, renew_within_ms: 1_000 };
        return { status: 'done', result: answer };
      }
      if (method === 'runtime.cancel') {
        moving?.(failed('CANCELLED'));
        return {};
      }
      if (payload.name !== 'go_to') return { status: 'done', result: {} };
      return new Promise((resolve) => {
        moving = resolve;
      });
    },
    draw: async () => {
      throw new Error('There is no camera "attic".');
    },
  } as unknown as Engine;
  const tools = new Map<string, ModelTool>();
  const modelContext: ModelContext = {
    registerTool(tool, { signal }) {
      if (tools.size === 0) signal.addEventListener('abort', () => tools.clear());
      tools.set(tool.name, tool);
    },
  };
  end = offerTools(engine, { modelContext });
  return {
    tools,
    calls,
    skills: () => calls.filter(({ method }) => method === 'runtime.tools_call').map(({ payload }) => payload.name),
    setPhase: async (phase: ViewerState['phase']) => {
      store.setState({ phase });
      await new Promise((resolve) => setImmediate(resolve));
    },
    setDriver(next: DriverFacts | null) {
      driver = next;
      store.setState({ runtime: { robot: { extra: { driver } } } as unknown as ViewerState['runtime'] });
    },
    steer: () => store.setState({ actions: [{ status: 'running', stroke: { id: '1', commands: 1 } }] as never }),
    async call(name: string, input: unknown = {}, signal?: AbortSignal) {
      const result = await (tools.get(name) as ModelTool).execute(input, signal ? { signal } : {});
      return { ...result, facts: result.structuredContent ?? {} };
    },
    async live() {
      await this.setPhase('live');
      return this;
    },
    async untilMoving() {
      while (!moving) await new Promise((resolve) => setImmediate(resolve));
      return (reply: object) => moving?.(reply);
    },
  };
}

describe('the tools for an agent in the browser', () => {
  it('are registered while the robot of the page lives', async () => {
    const page = pageWithRobot();
    expect([...page.tools]).toEqual([]);
    await page.setPhase('live');
    expect([...page.tools.keys()]).toEqual(TOOLS.map(({ name }) => name));
    await page.setPhase('ended');
    expect([...page.tools]).toEqual([]);
  });

  it('are not registered in a browser without WebMCP', () => {
    expect(() => offerTools({} as Engine, {})()).not.toThrow();
  });

  it('reject an invalid input with a sentence instead of an exception', async () => {
    const page = await pageWithRobot().live();
    const { isError, facts, content } = await page.call('go_to', { to: 7 });
    expect({ isError, code: facts.code }).toEqual({ isError: true, code: 'INVALID_INPUT' });
    expect(content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('"to" is not valid') });
    expect(page.skills()).toEqual([]);
  });

  it('return an error when the page cannot take a picture', async () => {
    const page = await pageWithRobot().live();
    const { isError, content } = await page.call('take_picture', { camera: 'attic' });
    expect(isError).toBe(true);
    expect(content[0]).toMatchObject({ text: expect.stringContaining('attic') });
  });

  it('distinguish a person at the page who drives from the agent', async () => {
    const page = await pageWithRobot().live();
    page.setDriver(PERSON);
    expect((await page.call('robot_status')).facts.driver).toMatchObject({ is_you: false });
    page.setDriver(AGENT);
    expect((await page.call('robot_status')).facts.driver).toMatchObject({ is_you: true });
  });

  it('mark every call, so that the runtime distinguishes the agent from the person at the page', async () => {
    const page = await pageWithRobot().live();
    for (const [tool, input] of [['robot_status'], ['get_scene'], ['control', { do: 'take' }], ['stop']] as const)
      await page.call(tool, input);
    expect(page.calls.length).toBeGreaterThan(4);
    expect(page.calls.filter(({ mark }) => mark !== 'agent')).toEqual([]);
  });

  it('reject motions while the person at the page steers', async () => {
    const page = await pageWithRobot().live();
    page.steer();
    expect((await page.call('go_to', { to: 'cube_1' })).facts.code).toBe('NOT_CONTROLLER');
  });

  it('take the lease, renew it, and stop renewing it when another takes over', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const page = await pageWithRobot().live();
    const actions = () => page.calls.filter(({ method }) => method === 'runtime.control').map(({ payload }) => payload.action);
    expect((await page.call('control', { do: 'take' })).facts).toMatchObject({ you_drive: true });
    await vi.advanceTimersByTimeAsync(2 * DRIVER_RENEW_MS);
    expect(actions()).toEqual(['take', 'renew', 'renew']);
    page.setDriver(PERSON);
    await vi.advanceTimersByTimeAsync(5 * DRIVER_RENEW_MS);
    expect(actions()).toEqual(['take', 'renew', 'renew', 'renew']);
  });

  it('ask the driver again and again, until the agent gets the robot or releases its request', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const page = await pageWithRobot().live();
    const actions = () => page.calls.filter(({ method }) => method === 'runtime.control').map(({ payload }) => payload.action);
    page.setDriver(PERSON);
    expect((await page.call('control', { do: 'ask' })).facts).toMatchObject({ you_drive: false });
    await vi.advanceTimersByTimeAsync(DRIVER_RENEW_MS);
    page.setDriver(AGENT);
    await vi.advanceTimersByTimeAsync(2 * DRIVER_RENEW_MS);
    expect(actions()).toEqual(['ask', 'ask', 'ask', 'renew']);
    await page.call('control', { do: 'release' });
    await vi.advanceTimersByTimeAsync(2 * DRIVER_RENEW_MS);
    expect(actions().slice(4)).toEqual(['release']);
  });

  it('do not ask for the robot while a person steers it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const page = await pageWithRobot().live();
    page.setDriver(PERSON);
    await page.call('control', { do: 'ask' });
    page.setDriver(null);
    page.steer();
    await vi.advanceTimersByTimeAsync(3 * DRIVER_RENEW_MS);
    expect(page.calls.filter(({ method }) => method === 'runtime.control')).toHaveLength(1);
  });

  it('end a motion when the agent cancels the call', async () => {
    const page = await pageWithRobot().live();
    const cancel = new AbortController();
    const moved = page.call('go_to', { to: 'cube_1' }, cancel.signal);
    await page.untilMoving();
    cancel.abort();
    expect((await moved).facts.status).toMatch(/running|failed/);
    expect(page.calls.map(({ method }) => method)).toContain('runtime.cancel');
  });

  it.each([
    ['a program in the room', 'ada'],
    ['the person at the page', null],
  ])('let the runtime itself reject a motion when %s takes the robot just before it', async (_who, identity) => {
    const { runtime, nowMs } = await createTestRuntime();
    const handle = (method: string, payload: unknown, callerIdentity: string | null, mark?: PageMark): unknown => {
      let reply: unknown = null;
      const call = { requestId: 'r', method, payload: JSON.stringify(payload), callerIdentity, mark, nowMs };
      runtime.handle(call, (text) => {
        reply = JSON.parse(text);
      });
      return reply;
    };
    const page = await pageWithRobot((method, payload, mark) => {
      if (method === 'runtime.tools_call') handle('runtime.control', { action: 'take' }, identity);
      return handle(method, payload, null, mark);
    }).live();
    expect((await page.call('control', { do: 'take' })).facts).toMatchObject({ you_drive: true });
    if (identity !== null) await page.call('control', { do: 'release' });
    const rejected = await page.call('go_to', { to: 'pad_A' });
    expect(rejected.facts).toMatchObject({ code: 'NOT_CONTROLLER', attempted: false, driver: { is_you: false } });
  });
});
