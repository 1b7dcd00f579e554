/**
 * The example agent with a language model: the information that the model gets about the robot, and the messages if the
 * model's server fails.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  askModel,
  type Message,
  type ModelServer,
  readModelServer,
  type Tool,
  type ToolCall,
} from '../../examples/agents/llm/model-server.ts';
import { type Robot, runTool, SYSTEM, toolsOf } from '../../examples/agents/llm/robot-tools.ts';
import { createSimulation, type Simulation } from '../../src/headless/simulation.ts';

describe('the tools of a real robot', () => {
  let simulation: Simulation;
  let robot: Robot;
  let tools: Tool[];
  beforeAll(async () => {
    simulation = await createSimulation({ sceneId: 'hall' });
    robot = {
      discoverSkills: () => simulation.call('runtime.tools_list'),
      getCapabilities: () => simulation.call('runtime.capabilities'),
      scene: async () => simulation.sceneState(),
      layout: async () => simulation.layout(),
      getVision: () => Promise.reject(new Error('no cameras')),
      invoke: (skill: string, params: Record<string, unknown>) => simulation.invoke(skill, params),
    } as unknown as Robot;
    tools = await toolsOf(robot);
  });
  afterAll(() => simulation.dispose());

  const call = (name: string, args: string): ToolCall => ({ id: 'c', type: 'function', function: { name, arguments: args } });
  const run = (name: string, args: unknown): Promise<string> =>
    runTool(robot, tools, call(name, typeof args === 'string' ? args : JSON.stringify(args)), []);

  interface Schema {
    type?: string;
    description?: string;
    properties?: Record<string, Schema>;
    anyOf?: Schema[];
    oneOf?: Schema[];
    items?: Schema;
    prefixItems?: Schema[];
  }
  /** Returns each number of a schema, with its description or that of the list that contains it. */
  function numbersOf(schema: Schema, path: string, listText = ''): [path: string, text: string][] {
    const text = schema.description ?? listText;
    if (schema.type === 'number' || schema.type === 'integer') return [[path, text]];
    return [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => numbersOf(each, `${path}.${name}`)),
      ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => numbersOf(each, path, text)),
      ...[...(schema.prefixItems ?? []), ...(schema.items ? [schema.items] : [])].flatMap((each) =>
        numbersOf(each, `${path}[]`, text),
      ),
    ];
  }

  it('the tools name the unit of each number in its own description, as the instruction to the model promises', () => {
    const numbers = tools.flatMap(({ function: { name, parameters } }) => numbersOf(parameters as Schema, name));
    expect(numbers.length).toBeGreaterThan(10);
    const without = numbers.filter(([, text]) => !/metres|m\/s|rad|degrees|seconds|quaternion|which of the slots/.test(text));
    expect(without).toEqual([]);
    expect(SYSTEM).toContain('are in the description of its parameter');
    expect(SYSTEM).not.toMatch(/units are|in radians/i);
  });

  it('the tools inform the model when a value was clamped, and to what', async () => {
    const answer = JSON.parse(await run('set_velocity', { vx: 9, duration_s: 0.1 }));
    expect(answer).toMatchObject({
      status: 'done',
      degraded: true,
      note: expect.stringContaining('Clamped'),
      result: { applied: {} },
    });
    expect(answer.result.applied.vx).toBeLessThan(2);
    expect(JSON.parse(await run('set_velocity', { vx: 0.1, duration_s: 0.1 }))).not.toHaveProperty('degraded');
  });

  it('the tools take arguments as text, as JSON inside a JSON string, and without any', async () => {
    for (const args of ['{"yaw":0.2,"pitch":0}', JSON.stringify('{"yaw":0.2,"pitch":0}')])
      expect(JSON.parse(await run('set_head', args))).toMatchObject({ status: 'done' });
    for (const args of ['', ' ', '{}', 'null']) expect(JSON.parse(await run('read_scene', args))).toHaveProperty('cube_0');
  });

  it.each(['{"target": ', '[1]', '3', 'go'])('the tools reject arguments that are not an object: %s', async (args) => {
    expect(await run('set_head', args)).toMatch(/^error: The arguments of set_head are not a JSON object, so nothing was done\./);
  });

  it('the tools answer an unknown tool, a forbidden one and one without a name with the list of tools', async () => {
    for (const name of ['fly_to', 'reset', '']) {
      const said = await run(name, {});
      expect(said).toContain(`error: There is no tool "${name}". The tools are: read_scene, read_layout,`);
      expect(said).toContain('go_to');
      expect(said).not.toMatch(/tools are:.*(reset|select_scene)/);
    }
  });

  it('the tools answer a robot’s refusal with its code and message', async () => {
    expect(await run('pick_entity', { target: { kind: 'entity', entity_id: 'cube_99' } })).toMatch(/[A-Z_]+: .*cube_99/);
  });
});

describe('the address of the model', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1/', OPENAI_MODEL: ' m ', OPENAI_API_KEY: 'sk-1\n' };

  it('the address is read without spaces and without slashes at its end', () => {
    expect(readModelServer(env)).toEqual({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: 'sk-1' });
    expect(readModelServer({ OPENAI_MODEL: 'm' })).toMatchObject({ baseUrl: 'https://api.openai.com/v1', apiKey: '' });
  });

  it.each([
    [{ OPENAI_MODEL: '' }, 'OPENAI_MODEL'],
    [{ OPENAI_BASE_URL: '127.0.0.1:11434' }, 'OPENAI_BASE_URL'],
    [{ OPENAI_BASE_URL: '"http://a/v1"' }, 'OPENAI_BASE_URL'],
    [{ OPENAI_API_KEY: 'sk-se cret' }, 'OPENAI_API_KEY'],
    [{ OPENAI_API_KEY: 'sk-sécret' }, 'OPENAI_API_KEY'],
  ])('an unusable address is reported by its variable, without its value: %j', (wrong, named) => {
    expect(() => readModelServer({ ...env, ...wrong })).toThrow(named);
    expect(() => readModelServer({ ...env, ...wrong })).not.toThrow('cret');
  });
});

describe("a model's server", () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  });

  async function serve(...turns: RequestListener[]): Promise<ModelServer & { asked: number }> {
    const server = createServer((request, response) => {
      settings.asked += 1;
      const turn = turns[Math.min(settings.asked, turns.length) - 1];
      request.resume().once('end', () => turn?.(request, response));
    });
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const settings = { baseUrl: `http://127.0.0.1:${port}/model`, apiKey: 'sk-secret', model: 'm', retryAfterMs: 1, asked: 0 };
    return settings;
  }
  const reply =
    (status: number, body: string, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const message = (value: object): RequestListener => reply(200, JSON.stringify({ choices: [{ message: value }] }));
  const ask = (server: ModelServer): Promise<Message> => askModel(server, [{ role: 'user', content: 'go' }], []);

  it('a server may give arguments as an object, as text, as null or not at all, several calls in a turn, and no ids', async () => {
    const { tool_calls: calls } = await ask(
      await serve(
        message({
          role: 'assistant',
          tool_calls: [
            { id: 'a', function: { name: 'go_to', arguments: { x: 1 } } },
            { function: { name: 'go_to', arguments: '{"x":1}' } },
            { id: '', function: { name: 'stop', arguments: null } },
            { function: { name: 'stop' } },
            { id: 7 },
            null,
          ],
        }),
      ),
    );
    expect(calls?.map((call) => call.function)).toEqual([
      { name: 'go_to', arguments: '{"x":1}' },
      { name: 'go_to', arguments: '{"x":1}' },
      { name: 'stop', arguments: '{}' },
      { name: 'stop', arguments: '{}' },
      { name: '', arguments: '{}' },
      { name: '', arguments: '{}' },
    ]);
    expect(new Set(calls?.map(({ id }) => id)).size).toBe(6);
    expect(calls?.[0]?.id).toBe('a');
  });

  it.each([undefined, null, []])('a server that gives %j as tool calls has answered with text', async (calls) => {
    const answer = await ask(await serve(message({ content: 'Done.', tool_calls: calls })));
    expect(answer).toEqual({ role: 'assistant', content: 'Done.' });
  });

  it.each<[string, RequestListener, RegExp, number]>([
    [
      '404',
      reply(404, '{"error":"model m not found"}'),
      /status 404: .*model m not found.* Check OPENAI_BASE_URL.*OPENAI_MODEL/,
      1,
    ],
    ['401', reply(401, 'bad key sk-secret'), /status 401: bad key <key>\. Check OPENAI_API_KEY/, 1],
    ['400', reply(400, ''), /status 400: \(nothing\)\. Check that OPENAI_MODEL can use tools/, 1],
    ['429', reply(429, 'slow down'), /status 429: slow down\. Wait, or take another model/, 4],
    ['503', reply(503, 'loading'), /status 503: loading\. Look at its log/, 4],
    [
      'HTML',
      reply(200, '<!doctype html>\n<p>hello</p>'),
      /none of an OpenAI-compatible server: <!doctype html> <p>hello<\/p>.*\/v1/,
      1,
    ],
    ['no choices', reply(200, '{"choices":[]}'), /none of an OpenAI-compatible server: \{"choices":\[\]\}/, 1],
    ['null', reply(200, 'null'), /none of an OpenAI-compatible server/, 1],
    ['an error in good form', reply(200, '{"error":{"message":"no memory"}}'), /no memory/, 1],
    [
      'a cut answer',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 500 }).write('{"choices":');
        setImmediate(() => response.destroy());
      },
      /broke off in the middle of its answer/,
      4,
    ],
  ])('a server that answers with %s is reported with a remedy', async (_, listener, sentence, asked) => {
    const server = await serve(listener);
    const error = await ask(server).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toContain('sk-secret');
    expect(server.asked).toBe(asked);
  });

  it('a server that is busy once, and disconnects once, is asked again', async () => {
    const cut: RequestListener = (_, response) => {
      response.writeHead(200, { 'Content-Length': 9 }).flushHeaders();
      setImmediate(() => response.destroy());
    };
    const server = await serve(reply(429, ''), cut, message({ content: 'Done.' }));
    expect(await ask(server)).toMatchObject({ content: 'Done.' });
    expect(server.asked).toBe(3);
  });

  it('a server that does not run is reported by its address', async () => {
    const server = await serve(reply(200, ''));
    await new Promise((closed) => servers.pop()?.close(closed));
    await expect(ask(server)).rejects.toThrow(
      /http:\/\/127\.0\.0\.1:\d+\/model cannot be reached \(ECONNREFUSED\)\. Start it, or set OPENAI_BASE_URL/,
    );
  });

  it('a silent server is given up after its timeout', async () => {
    const server = { ...(await serve(() => {})), timeoutMs: 100 };
    await expect(ask(server)).rejects.toThrow('has not answered within 0.1 s');
  });
});
