/** The transport of a page that shows an agent's robot. */
import { expect, it } from 'vitest';
import type { SeenCall, SeenWorld } from '../../src/protocol/service/agent-watch.ts';
import { createAgentStream } from '../../src/viewer/agent/agent-stream.ts';

class FakeSource {
  readonly takes = new Map<string, (event: { data?: unknown }) => void>();
  isClosed = false;
  addEventListener(name: string, take: (event: { data?: unknown }) => void): void {
    this.takes.set(name, take);
  }
  close(): void {
    this.isClosed = true;
  }
  send(name: string, data?: unknown): void {
    this.takes.get(name)?.({ data: name === 'packet' ? data : JSON.stringify(data) });
  }
}

const world = (startedAtMs: number, sceneFile: string | null = null): SeenWorld => ({
  startedAtMs,
  instruction: null,
  sceneFile,
});
const call = (number: number, startedAtMs: number): SeenCall => ({
  number,
  tool: 'stop',
  asked: '',
  steps: [],
  state: 'done',
  said: 'It stopped.',
  startedAtMs,
  tookMs: 5,
});

function stage() {
  const sources: FakeSource[] = [];
  const heard: string[] = [];
  let retry = (): void => undefined;
  const stream = createAgentStream({
    open() {
      const source = new FakeSource();
      sources.push(source);
      return source;
    },
    takeScene: async (file) => void heard.push(`scene ${file}`),
    after(_ms, act) {
      retry = act;
      return () => {
        retry = () => undefined;
      };
    },
  });
  const room = stream.createRoom({
    onState: ({ kind }) => heard.push(kind),
    onParticipants: (all) => heard.push(`participants ${all.map(({ joinedAtMs }) => joinedAtMs).join()}`),
    onMetadata: (metadata) => heard.push(metadata),
    onRobotName: () => undefined,
    onData: ({ bytes, identity }) => heard.push(`${identity}: ${[...bytes].join()}`),
    onPicture: () => undefined,
  });
  // @ts-expect-error The stream needs nothing of a key.
  room.join(null);
  return { stream, room, sources, heard, retry: () => retry() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('becomes a room with one robot, and delivers its packets', async () => {
  const { sources, heard } = stage();
  sources[0]?.send('packet', 'AQI=');
  sources[0]?.send('world', world(7, 'a file'));
  await settled();
  sources[0]?.send('packet', 'AQI=');
  expect(heard).toEqual([
    'scene a file',
    'connected',
    '{"robot_id":"agent-robot"}',
    'participants ',
    'participants 7',
    'simplesim:agent-robot: 1,2',
  ]);
});

it('reports the end, connects again, and shows only the calls of the new process', async () => {
  const { stream, sources, heard, retry } = stage();
  sources[0]?.send('world', world(1));
  sources[0]?.send('call', call(1, 100));
  sources[0]?.send('call', call(2, 200));
  await settled();
  sources[0]?.send('end', null);
  expect([stream.seen.getState().isEnded, sources[0]?.isClosed, heard.at(-1)]).toEqual([true, true, 'rejoining']);
  retry();
  sources[1]?.takes.get('error')?.({});
  retry();
  sources[2]?.send('call', call(1, 900));
  sources[2]?.send('world', world(800));
  await settled();
  expect(stream.seen.getState().isEnded).toBe(false);
  expect(stream.seen.getState().calls.map(({ startedAtMs }) => startedAtMs)).toEqual([900]);
  expect(heard.at(-1)).toBe('participants 800');
});

it('has nothing that moves the robot', async () => {
  const { room } = stage();
  await expect(room.call({ to: 'robot', method: 'runtime.stop', payload: '{}', timeoutMs: 1 })).rejects.toThrow('only shows');
});
