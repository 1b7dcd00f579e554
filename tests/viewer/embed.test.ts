/** A frame and its host page: which senders are heard, what they may do, and that unknown messages do nothing. */

import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { type HostPort, openBridge } from '../../src/viewer/embed/bridge.ts';
import { type hostMessageSchema, readHostMessage } from '../../src/viewer/embed/messages.ts';
import { readEmbedSettings, sideTabs } from '../../src/viewer/embed/settings.ts';
import type { FrameMessage, HostMessage } from '../../src/viewer/embed/wire.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { Engine } from '../../src/viewer/engine/types.ts';
import { createUiStore } from '../../src/viewer/ui/common/ui-store.ts';
import { createViewAccess } from '../../src/viewer/ui/common/view-access.ts';
import { actionView, runtimeState } from '../ui/examples.ts';

const HOST = 'https://host.example';
const settingsOf = (query: string) => {
  const settings = readEmbedSettings(`https://viewer.example/?embed=1&origin=${HOST}&${query}`);
  if (!settings) throw new Error('not embedded');
  return settings;
};

describe('the address of a frame', () => {
  it('an address without parameters of a frame means a page of its own', () => {
    expect(readEmbedSettings('https://viewer.example/?embed=0&origin=https://a.example')).toBeNull();
  });

  it('the address of a frame accepts whole origins and known words only', () => {
    const settings = readEmbedSettings(
      'https://v.example/?embed=1&origin=https://a.example,https://b.example/path&origin=null&origin=*&allow=stop,fly&panels=drive,actions&theme=pink&view=top',
    );
    expect(settings).toEqual({
      tryHere: false,
      origins: ['https://a.example'],
      allow: new Set(['stop']),
      panels: new Set(['actions', 'drive']),
      theme: null,
      view: 'top',
    });
    if (settings) expect(sideTabs(settings, true)).toEqual(['actions']);
    expect([true, false].map((isNarrow) => sideTabs(settingsOf('panels=cameras,state'), isNarrow))).toEqual([
      ['state', 'cameras'],
      ['state'],
    ]);
  });
});

function frame(query = 'allow=call,stop,view', ancestor: string | null = null) {
  const posted: { message: FrameMessage; origin: string }[] = [];
  const calls: string[] = [];
  const reopened: unknown[] = [];
  const warned: string[] = [];
  let listener: Parameters<HostPort['listen']>[0] = () => undefined;
  let due: (() => void) | null = null;
  const store = createViewerStore();
  const answers: ((reply: unknown) => void)[] = [];
  const engine: Engine = {
    store,
    frames: { latest: () => null, overlay: () => EMPTY_OVERLAY },
    layout: () => null,
    connect: (key) => {
      calls.push(`connect ${key}`);
      store.setState(
        key === 'bad'
          ? { gateProblem: 'This is not a room key.' }
          : { gateProblem: null, connection: { kind: 'joining' }, phase: 'loading' },
      );
    },
    tryHere: () => undefined,
    openScene: async () => ({ ok: true, sceneId: 'own', title: 'Own' }),
    stop: () => void calls.push('stop'),
    emergencyStop: () => undefined,
    disconnect: () => undefined,
    retry: () => undefined,
    heldKey: () => null,
    capture: async () => {
      throw new Error('The cameras are not ready yet.');
    },
    call: (method) => {
      calls.push(method);
      return new Promise((answer) => answers.push(answer));
    },
    dispose: () => undefined,
  };
  const host: HostPort = {
    post: (message, origin) => void posted.push({ message: structuredClone(message), origin }),
    listen: (each) => {
      listener = each;
      return () => undefined;
    },
    after: (_delayMs, task) => {
      due = task;
      return () => undefined;
    },
    reopen: (params) => void reopened.push(params),
    knowsTask: async (id) => id === 'hall-hold-blue',
    warn: (sentence) => void warned.push(sentence),
    ancestor,
  };
  const ui = createUiStore();
  const view = createViewAccess();
  openBridge({ engine, ui, view, settings: settingsOf(query), host });
  const say = async (data: unknown, origin = HOST, fromHost = true) => {
    listener(() => data, origin, fromHost);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const hello = () => say({ simplesim: 1, type: 'hello', id: 'hello' });
  const reply = (id: string) =>
    posted.map(({ message }) => message).findLast((message) => message.type === 'reply' && message.id === id);
  const pass = () => {
    const task = due;
    due = null;
    task?.();
  };
  const flood = (read: () => unknown, origin: string, fromHost: boolean) => listener(read, origin, fromHost);
  return { posted, calls, reopened, warned, say, flood, hello, reply, store, answers, ui, view, pass };
}

/** Compiles only while the types for embedders accept every message that the frame accepts. */
const asEmbedder = (message: z.input<typeof hostMessageSchema>): HostMessage => message;

describe('a message for a new world', () => {
  const open = (fields: object) => ({ ...asEmbedder({ simplesim: 1, type: 'open', id: 'open' }), ...fields });

  it('a message for a new world opens the frame again with scene, robot, seed and task in its address, after the reply', async () => {
    const { say, hello, reply, reopened, pass } = frame('try=1&allow=call');
    await hello();
    await say(open({ scene: 'hall', robot: 'picker', seed: 7 }));
    expect(reply('open')).toMatchObject({ ok: true, value: null });
    expect(reopened).toEqual([]);
    pass();
    await say(open({ task: 'hall-hold-blue', seed: 0 }));
    pass();
    expect(reopened).toEqual([
      { task: null, scene: 'hall', robot: 'picker', seed: '7' },
      { seed: '0', task: 'hall-hold-blue' },
    ]);
  });

  it('a message for a new world is rejected if its scene or task is unknown or its seed is out of range', async () => {
    const { say, hello, reply, reopened } = frame('try=1&allow=call');
    await hello();
    for (const [fields, params] of [
      [{ scene: 'moon' }, /scene must be one of warehouse, /],
      [{ robot: 'spider' }, /robot must be one of /],
      [{ seed: -1 }, /seed must be at least 0/],
      [{ seed: 1.5 }, /seed must be a whole number/],
      [{ task: 'fly' }, /task must be the id of a task of the product/],
    ] as const) {
      await say(open(fields));
      expect(reply('open')).toMatchObject({
        ok: false,
        error: { code: 'INVALID_MESSAGE', message: expect.stringMatching(params) },
      });
    }
    expect(reopened).toEqual([]);
  });

  it.each([
    ['of a robot with a key', 'allow=call', /try=1/],
    ['whose address does not allow calls', 'try=1&allow=stop', /Add call to its parameter allow/],
  ])('a message for a new world is rejected by a frame %s', async (_which, query, params) => {
    const { say, hello, reply } = frame(query);
    await hello();
    await say(open({ scene: 'hall' }));
    expect(reply('open')).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED', message: expect.stringMatching(params) } });
  });
});

describe('a host whose messages are ignored', () => {
  const EVIL = 'https://other.example';

  it('a host whose messages are ignored is warned once for each origin, with the parameter to add to the address', async () => {
    const { say, warned } = frame();
    const stop = { simplesim: 1, type: 'stop', id: 'x' };
    await say(stop, EVIL);
    await say(stop, EVIL);
    await say(stop, HOST);
    await say(stop, 'https://third.example', false);
    expect(warned).toEqual([
      `SimpleSim ignores the messages of ${EVIL}: the address of this frame names only ${HOST}. Add origin=https%3A%2F%2Fother.example to it.`,
    ]);
  });
});

describe('the accepted senders', () => {
  it('hears the host window of a named origin, and answers no other sender', async () => {
    const { posted, calls, say } = frame();
    const before = posted.length;
    const stop = { simplesim: 1, type: 'stop', id: 'x' };
    await say(stop, 'https://evil.example');
    await say(stop, HOST, false);
    await say({ ...stop, type: 'hello' }, 'null');
    expect([posted.length - before, calls]).toEqual([0, []]);
  });

  it('does not even unpack messages of a stranger, so that they cost no time', () => {
    const { flood } = frame();
    let unpacked = 0;
    const read = () => {
      unpacked += 1;
      return { simplesim: 1, type: 'stop', id: 'x' };
    };
    for (let n = 0; n < 10_000; n += 1) {
      flood(read, 'https://evil.example', true);
      flood(read, HOST, false);
    }
    expect(unpacked).toBe(0);
    flood(read, HOST, true);
    expect(unpacked).toBe(1);
  });

  it('a sender must greet the frame before it receives anything about the robot', async () => {
    const { posted, store, say, hello, reply, pass } = frame();
    expect(posted.map(({ message }) => message)).toEqual([{ simplesim: 1, type: 'loaded' }]);
    store.setState({ phase: 'live', statusText: 'Ready', runtime: runtimeState(), actions: [actionView({})] });
    pass();
    await say({ simplesim: 1, type: 'stop', id: 'early' });
    expect(reply('early')).toMatchObject({ ok: false, error: { code: 'NOT_GREETED' } });
    expect(posted).toHaveLength(2);
    await hello();
    expect(reply('hello')).toMatchObject({ ok: true, value: { allow: ['call', 'stop', 'view'], state: { status: 'Ready' } } });
  });

  it('a frame greets only a host whose origin, as the browser reports it, is named in its address', () => {
    expect(frame('', 'https://evil.example').posted).toEqual([]);
    expect(frame('', HOST).posted).toHaveLength(1);
  });
});

describe('a message to the frame', () => {
  it.each([null, 7, 'hello', [], {}, { simplesim: 1 }, { type: 'stop', id: 'a' }, { simplesim: 'one', id: 'a' }])(
    'ignores the message %j',
    async (data) => {
      const { posted, calls, say, hello } = frame();
      await hello();
      const before = posted.length;
      await say(data);
      expect([posted.length - before, calls]).toEqual([0, []]);
    },
  );

  it.each([
    [{ simplesim: 1, type: 'call', id: 'a', method: 'runtime.explode' }, 'INVALID_MESSAGE'],
    [{ simplesim: 1, type: 'call', id: 'a', method: 'runtime.state', payload: 'x' }, 'INVALID_MESSAGE'],
    [{ simplesim: 1, type: 'capture', id: 'a', width: 1e9 }, 'INVALID_MESSAGE'],
    [{ simplesim: 1, type: 'set_view', id: 'a', eye: [0, 0, 1] }, 'INVALID_MESSAGE'],
    [{ simplesim: 1, type: 'set_view', id: 'a', eye: [0, 0, Number.NaN], target: [0, 0, 0] }, 'INVALID_MESSAGE'],
    [{ simplesim: 1, type: 'stop', id: 'a', extra: 1 }, 'INVALID_MESSAGE'],
    [{ simplesim: 2, type: 'stop', id: 'a' }, 'UNKNOWN_VERSION'],
  ])('answers the message %j with %s', async (message, code) => {
    const { calls, say, hello, reply } = frame();
    await hello();
    await say(message);
    expect(reply('a')).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(/\.$/) } });
    expect(calls).toEqual([]);
  });
});

it('passes a call on unchanged, also with names that every object inherits: the robot rejects them by name', () => {
  const payload = JSON.parse('{"name":"set_head","input":{},"__proto__":{"polluted":true},"constructor":1}');
  const read = readHostMessage({ simplesim: 1, type: 'call', id: 'a', method: 'runtime.tools_call', payload });
  expect(read.kind === 'good' && read.message.type === 'call' && JSON.stringify(read.message.payload)).toBe(
    JSON.stringify(payload),
  );
});

it.each([
  [{ type: 'capture', width: 8 }, 'width must be at least 16.'],
  [{ type: 'capture', height: 1e9 }, 'height must be at most 1080.'],
  [{ type: 'capture', width: 20.5 }, 'width must be a whole number.'],
  [{ type: 'capture', camera: 7 }, 'camera must be a text.'],
  [{ type: 'capture', camera: '' }, 'camera must not be empty.'],
  [{ type: 'capture', camera: 'x'.repeat(65) }, 'camera must have at most 64 characters.'],
  [{ type: 'set_view', view: 'side' }, 'view must be one of orbit, top, head.'],
  [{ type: 'set_view', eye: [0, 0], target: [0, 0, 1] }, 'eye must be a list of 3 numbers.'],
  [{ type: 'set_view', following: 'yes' }, 'following must be true or false.'],
  [{ type: 'set_view', eye: [0, 0, 1] }, 'eye and target belong together.'],
  [{ type: 'call', method: 'runtime.explode' }, 'method must be one of '],
  [{ type: 'stop', extra: 1 }, 'extra is not known here.'],
  [{ type: 'fly' }, 'type must be one of hello, key, call, stop, capture, open, get_view, set_view.'],
  [{}, 'type must be one of '],
])('rejects the message %j in words that describe a correct message', (fields, params) => {
  const read = readHostMessage({ simplesim: 1, id: 'a', ...fields });
  expect(read.kind === 'wrong' && read.error.message).toContain(`This message cannot be read: ${params}`);
});

describe('a payload that is not JSON', () => {
  const circle: Record<string, unknown> = {};
  circle.self = { circle };
  it.each([
    ['a circle', circle],
    ['a big integer', { n: 10n }],
    ['infinity', { n: [Number.POSITIVE_INFINITY] }],
    ['a map', { m: new Map([['a', 1]]) }],
    ['a map alone', new Map([['a', 1]])],
    ['bytes', { b: new Uint8Array(3) }],
    ['a file', { b: new Blob(['x']) }],
  ])('a payload with %s is reported as a fault of the message, and no part of it is dropped silently', async (_, payload) => {
    const { calls, say, hello, reply } = frame();
    await hello();
    await say({ simplesim: 1, type: 'call', id: 'a', method: 'runtime.state', payload });
    expect(reply('a')).toMatchObject({
      ok: false,
      error: { code: 'INVALID_MESSAGE', message: expect.stringContaining('payload: ') },
    });
    expect(calls).toEqual([]);
  });
});

describe('a payload that is small to send and endless to serialise', () => {
  /** An object with two properties that are the same object, which is built in the same way, and so on. */
  let shared: unknown = 1;
  for (let n = 0; n < 60; n += 1) shared = { a: shared, b: shared };
  let deep: unknown = 1;
  for (let n = 0; n < 20_000; n += 1) deep = [deep];
  it.each([
    ['empty places', { list: new Array(2 ** 32 - 1) }],
    ['lists of them', { list: Array.from({ length: 200 }, () => new Array(1_000)) }],
    ['one part named often', shared],
    ['lists within lists', { deep }],
    ['names', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name${n}`, n]))],
  ])('a payload of %s is rejected before it is serialised', async (_, payload) => {
    const { calls, say, hello, reply } = frame();
    await hello();
    await say({ simplesim: 1, type: 'call', id: 'a', method: 'runtime.state', payload });
    expect(reply('a')).toMatchObject({
      ok: false,
      error: { code: 'INVALID_MESSAGE', message: expect.stringContaining('payload: it holds more than 10000 values') },
    });
    expect(calls).toEqual([]);
  });

  it('answers a message with unknown names in a sentence', () => {
    const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`name${n}`, n]));
    const read = readHostMessage({ ...names, simplesim: 1, type: 'hello', id: 'a' });
    expect(read).toMatchObject({ kind: 'wrong', error: { code: 'INVALID_MESSAGE' } });
    if (read.kind === 'wrong') expect(read.error.message.length).toBeLessThan(500);
  });
});

describe('the state of a frame', () => {
  it.each([
    [{ kind: 'silent' as const, sinceMs: 0 }, 'No answer', 'The room is silent.'],
    [{ kind: 'reconnecting' as const, sinceMs: 0 }, 'Reconnecting', 'The connection to the room is interrupted.'],
    [
      { kind: 'rejoining' as const, attempt: 3, reason: 'The server does not answer.' },
      'Rejoining',
      'The server does not answer.',
    ],
    [{ kind: 'connected' as const }, 'Ready', null],
  ])('describes a room that is %j with the words of the frame', async (connection, status, problem) => {
    const { hello, reply, store } = frame();
    store.setState({ phase: 'live', statusText: 'Ready', connection });
    await hello();
    expect(reply('hello')).toMatchObject({ value: { state: { status, problem } } });
  });
});

describe('the allowed requests', () => {
  it('a host may read, and may do what the address allows', async () => {
    const { calls, say, hello, reply } = frame('');
    await hello();
    const command = { simplesim: 1, type: 'call', method: 'runtime.tools_call', payload: { name: 'reset' } };
    await say({ ...command, id: 'a' });
    await say({ simplesim: 1, type: 'stop', id: 'b' });
    await say({ simplesim: 1, type: 'set_view', id: 'c', view: 'top' });
    for (const id of ['a', 'b', 'c']) expect(reply(id)).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } });
    expect(calls).toEqual([]);
    await say({ simplesim: 1, type: 'call', id: 'd', method: 'runtime.state' });
    expect(calls).toEqual(['runtime.state']);
  });

  it('a frame accepts a key and reports why a key does not work; a robot of the frame alone accepts none', async () => {
    const { calls, say, hello, reply } = frame();
    await hello();
    await say({ simplesim: 1, type: 'key', id: 'a', key: 'good' });
    await say({ simplesim: 1, type: 'key', id: 'b', key: 'bad' });
    expect(calls).toEqual(['connect good', 'connect bad']);
    expect(reply('b')).toMatchObject({ ok: false, error: { code: 'KEY_REFUSED', message: 'This is not a room key.' } });
    const alone = frame('try=1');
    await alone.hello();
    await alone.say({ simplesim: 1, type: 'key', id: 'a', key: 'good' });
    expect([alone.calls, alone.reply('a')]).toMatchObject([[], { error: { code: 'NOT_ALLOWED' } }]);
  });

  it('a frame answers a key when the robot is in its room, and rejects a key that the room does not accept', async () => {
    const { say, hello, reply, store, pass } = frame();
    const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
    await hello();
    await say({ simplesim: 1, type: 'key', id: 'first', key: 'good' });
    expect(reply('first')).toBeUndefined();
    await say({ simplesim: 1, type: 'key', id: 'second', key: 'better' });
    expect(reply('first')).toMatchObject({ error: { code: 'KEY_REFUSED', message: expect.stringContaining('A newer key') } });
    store.setState({ connection: { kind: 'connected' } });
    await settle();
    expect(reply('second')).toMatchObject({ ok: true, value: null });

    await say({ simplesim: 1, type: 'key', id: 'third', key: 'changed' });
    const message = 'The server refuses this key.';
    store.setState({
      phase: 'ended',
      statusText: 'Ready',
      connection: { kind: 'ended', reason: 'refused', title: 'No', message, canRetry: false },
    });
    await settle();
    expect(reply('third')).toMatchObject({ ok: false, error: { code: 'KEY_REFUSED', message } });
    pass();
    await hello();
    expect(reply('hello')).toMatchObject({ value: { state: { phase: 'ended', status: 'Not in the room', problem: message } } });
  });

  it('a host is limited in its calls, but a stop always passes', async () => {
    const { calls, say, hello, reply, answers } = frame();
    await hello();
    for (let count = 0; count < 33; count += 1)
      await say({ simplesim: 1, type: 'call', id: `c${count}`, method: 'runtime.state' });
    expect(reply('c32')).toMatchObject({ ok: false, error: { code: 'TOO_MANY' } });
    let reads = 0;
    const watched = {
      get method() {
        reads += 1;
        return 'runtime.state';
      },
    };
    await say(Object.assign(Object.create(watched), { simplesim: 1, type: 'call', id: 'unread' }));
    expect([reply('unread'), reads]).toMatchObject([{ error: { code: 'TOO_MANY' } }, 0]);
    await say({ simplesim: 1, type: 'stop', id: 'stop' });
    expect(calls.at(-1)).toBe('stop');
    answers[0]?.({ fine: true });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(reply('c0')).toMatchObject({ ok: true, value: { fine: true } });
  });

  it('a host moves the view and reads its position, or learns that it does not exist yet', async () => {
    const { say, hello, reply, ui, view } = frame();
    await hello();
    await say({ simplesim: 1, type: 'get_view', id: 'a' });
    expect(reply('a')).toMatchObject({ ok: false, error: { code: 'VIEW_UNAVAILABLE' } });
    view.cannotDraw = true;
    await say({ simplesim: 1, type: 'get_view', id: 'never' });
    expect(reply('never')).toMatchObject({ error: { message: expect.stringContaining('draws no 3D') } });
    ui.setState({ view: 'top' });
    await say({ simplesim: 1, type: 'set_view', id: 'b', eye: [1, 2, 3], target: [0, 0, 1] });
    expect(view.asked).toEqual({ eye: [1, 2, 3], target: [0, 0, 1] });
    expect(ui.getState()).toMatchObject({ view: 'orbit', following: false });
    await say({ simplesim: 1, type: 'capture', id: 'c' });
    expect(reply('c')).toMatchObject({ error: { code: 'CAPTURE_FAILED', message: 'The cameras are not ready yet.' } });
  });
});

it('a greeted host receives states at a readable rate, each change of an action, and the moment when the robot is ready', async () => {
  const { posted, store, hello, pass } = frame();
  await hello();
  posted.splice(0);
  store.setState({ statusText: 'Walking' });
  store.setState({ statusText: 'Ready', actions: [actionView({ status: 'running' })] });
  store.setState({ phase: 'live' });
  pass();
  const types = posted.map(({ message, origin }) => [message.type, origin]);
  expect(types).toEqual([
    ['action', HOST],
    ['ready', HOST],
    ['state', HOST],
  ]);
});
