import { afterEach, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import type { DriverFacts } from '../../src/protocol/driver.ts';
import type { Engine, ViewerState } from '../../src/viewer/engine/types.ts';
import { type ModelContext, type ModelTool, offerTools } from '../../src/viewer/webmcp/offer-tools.ts';

const PERSON: DriverFacts = { identity: null, name: 'page', kind: 'program', since_ms: 0 };
const PROGRAM: DriverFacts = { identity: 'ada', name: 'Ada', kind: 'program', since_ms: 0 };
const AGENT: DriverFacts = { identity: null, name: 'Agent', kind: 'agent', since_ms: 0 };

let end = (): void => undefined;
afterEach(() => end());

/** A page with a robot, of which the test controls the driver and the replies, and a browser with WebMCP. */
function pageWithRobot() {
  const calls: { method: string; payload: Record<string, unknown> }[] = [];
  let driver: DriverFacts | null = null;
  let moving: ((reply: object) => void) | null = null;
  const store = createStore(
    () => ({ phase: 'loading', profile: 'simulator', robotKind: 'humanoid', task: null, actions: [] }) as unknown as ViewerState,
  );
  const failed = (code: string) => ({ status: 'failed', error: { code, message: 'Ended.', details: {} } });
  const engine = {
    store,
    async call(method: string, payload: Record<string, unknown>) {
      calls.push({ method, payload });
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
        if (action === 'ask') driver ??= AGENT;
        if (action === 'release') driver = null;
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

  it.each([
    ['a program', PROGRAM],
    ['the person at the page', PERSON],
  ])('reject motions and requests for the lease while %s drives, but not a stop', async (_who, driver) => {
    const page = await pageWithRobot().live();
    page.setDriver(driver);
    for (const [tool, input] of [
      ['go_to', { to: 'cube_1' }],
      ['control', { do: 'take' }],
      ['control', { do: 'ask' }],
      ['control', { do: 'release' }],
    ] as const) {
      const { isError, facts } = await page.call(tool, input);
      expect({ isError, code: facts.code }).toEqual({ isError: true, code: 'NOT_CONTROLLER' });
      expect(facts.said).toContain('1970-01-01');
    }
    expect(page.calls.filter(({ method }) => method === 'runtime.control')).toEqual([]);
    expect((await page.call('robot_status')).facts.driver).toMatchObject({ is_you: false });
    expect((await page.call('stop')).isError).toBe(false);
    expect(page.skills()).toEqual(['cancel']);
  });

  it('reject motions while the person at the page steers', async () => {
    const page = await pageWithRobot().live();
    page.steer();
    expect((await page.call('go_to', { to: 'cube_1' })).facts.code).toBe('NOT_CONTROLLER');
  });

  it('take the free lease without displacing a driver', async () => {
    const page = await pageWithRobot().live();
    expect((await page.call('control', { do: 'take' })).facts).toMatchObject({ you_drive: true });
    const [request] = page.calls.filter(({ method }) => method === 'runtime.control');
    expect(request?.payload).toMatchObject({ action: 'ask', kind: 'agent' });
  });

  it.each(['cancels the call', 'begins to drive'])('end a motion when someone %s', async (what) => {
    const page = await pageWithRobot().live();
    const cancel = new AbortController();
    const moved = page.call('go_to', { to: 'cube_1' }, cancel.signal);
    await page.untilMoving();
    if (what === 'cancels the call') cancel.abort();
    else page.setDriver(PERSON);
    expect((await moved).facts.status).toMatch(/running|failed/);
    expect(page.calls.map(({ method }) => method)).toContain('runtime.cancel');
  });
});
