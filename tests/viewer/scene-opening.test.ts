import { describe, expect, it } from 'vitest';
import { SCENE_LIMITS } from '../../src/protocol/files/scene-limits.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { fetchFile } from '../../src/viewer/engine/fetch-file.ts';
import { readScene, readSceneAddress, sceneMistake } from '../../src/viewer/engine/page-address.ts';
import { createFixture, KEY, RCW_KEY, settle } from './engine-fixture.ts';
import { FRAME, LAYOUT } from './fake-runtime.ts';

const metadata = (scene_id: unknown): string => JSON.stringify({ robot_id: 'r1', scene_id });
const DONE = '{"status":"done"}';
type Fixture = ReturnType<typeof createFixture>;

/** A robot that entered its room and whose simulation is ready. */
async function enter(fixture: Fixture, sceneId: unknown, beforeReady: (fixture: Fixture) => void = () => {}): Promise<void> {
  await settle();
  fixture.emit({ kind: 'layout', layout: LAYOUT });
  fixture.setMetadata(metadata(sceneId));
  fixture.setConnection({ kind: 'connected' });
  beforeReady(fixture);
  fixture.emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
  fixture.emit({ kind: 'ready' });
  await settle();
}
const chosen = ({ log }: Fixture): string[] => log.filter((line) => line.startsWith('called') || line.startsWith('simulation'));

describe('a session that asks for a scene', () => {
  it('a robot starts in the scene of its session before any participant of the room is served', async () => {
    const fixture = createFixture(KEY);
    let early: Promise<string> | null = null;
    fixture.setReply(DONE);
    await enter(fixture, 'hall', ({ emit, call }) => {
      emit({ kind: 'ready' });
      early = call('runtime.tools_list');
    });
    expect(JSON.parse((await early) ?? '')).toMatchObject({ status: 'failed', error: { code: 'NOT_READY' } });
    expect(chosen(fixture)).toEqual(['called {"name":"select_scene","input":{"scene_id":"hall"}}']);
    expect(fixture.state()).toMatchObject({ phase: 'live', fileRefusal: null });
    expect(await fixture.call('runtime.tools_list')).toBe(DONE);
  });

  it('the scene of a session is read once for each room, and ignored if the robot is already there', async () => {
    const fixture = createFixture(KEY);
    fixture.setReply(DONE);
    await enter(fixture, 'hall');
    fixture.setMetadata(metadata('kitchen'));
    await settle();
    expect(chosen(fixture)).toHaveLength(1);
    const there = createFixture(KEY);
    await enter(there, 'warehouse');
    expect(chosen(there)).toEqual([]);
  });

  it.each([undefined, null, '', 7, 'x'.repeat(200)])('the invalid scene %s of a session changes nothing', async (sceneId) => {
    const fixture = createFixture(KEY);
    await enter(fixture, sceneId);
    expect(chosen(fixture)).toEqual([]);
    expect(fixture.state()).toMatchObject({ phase: 'live', fileRefusal: null });
  });

  it('an unknown scene of a session is reported in words, and the robot stays in its scene', async () => {
    const fixture = createFixture(KEY);
    await enter(fixture, 'moon');
    expect(chosen(fixture)).toEqual([]);
    expect(fixture.state().phase).toBe('live');
    expect(fixture.state().fileRefusal?.problems).toEqual([
      {
        path: '',
        reason: expect.stringMatching(/^is not there, and the session asks for it; there are warehouse, hall, .*yard\.$/),
      },
    ]);
  });

  it('the scene of a session does not replace a world that resumes after a reload', async () => {
    const fixture = createFixture(KEY);
    await enter(fixture, 'hall', ({ emit }) => emit({ kind: 'restored', hash: 'h', missingMs: 1, running: [] }));
    expect(chosen(fixture)).toEqual([]);
    expect(fixture.state().phase).toBe('live');
  });

  it('a scene of a session that cannot be loaded is reported with the reason', async () => {
    const fixture = createFixture(KEY);
    fixture.setReply('{"status":"failed","error":{"message":"The emergency stop is pressed."}}');
    await enter(fixture, 'hall');
    expect(fixture.state()).toMatchObject({
      phase: 'live',
      fileRefusal: { kind: 'scene', name: 'hall', problems: [{ reason: 'could not be loaded. The emergency stop is pressed.' }] },
    });
  });

  it('a robot without the skill to load scenes starts its world in the scene from scratch', async () => {
    const fixture = createFixture(RCW_KEY);
    await enter(fixture, 'hall');
    expect(fixture.scenes).toEqual(['warehouse', 'hall']);
    // The first world’s record is deleted, so that the second world does not resume it.
    expect(fixture.orders.slice(-2)).toEqual([
      expect.objectContaining({
        place: null,
        forget: [{ place: 'ws://127.0.0.1:7880 room-r1/rcw-r1', owner: expect.any(String) }],
      }),
      expect.objectContaining({ place: 'ws://127.0.0.1:7880 room-r1/rcw-r1', isMine: true }),
    ]);
    expect(fixture.state().phase).toBe('loading');
    fixture.emit({ kind: 'layout', layout: LAYOUT });
    fixture.emit({ kind: 'ready' });
    expect(fixture.state().phase).toBe('live');
  });
});

describe('a scene file', () => {
  it('a scene file is read by the simulation and chosen as a program would choose it', async () => {
    const fixture = createFixture(KEY);
    fixture.setReply(DONE);
    await enter(fixture, null);
    expect(await fixture.engine.openScene('{"x":1}')).toEqual({ ok: true, sceneId: 'own', title: 'Own' });
    expect(fixture.log.slice(-2)).toEqual([
      'scene file of 7 characters',
      'called {"name":"select_scene","input":{"scene_id":"own"}}',
    ]);
  });
});

describe('an address that names a scene file', () => {
  it.each([
    ['http://h/?scene=https://example.org/a.json', 'https://example.org/a.json'],
    ['http://h/?scene=/scenes/a.json', 'http://h/scenes/a.json'],
    ['http://h/robot?scene=a.json', 'http://h/a.json'],
    ['http://h/?scene=http://example.org/a.json', null],
    ['http://h/?scene=javascript:alert(1)', null],
    ['http://h/?scene=data:application/json,{}', null],
    ['http://h/?scene=//example.org/a.json', null],
    ['https://h/?scene=//example.org/a.json', 'https://example.org/a.json'],
    ['http://h/?scene=hall', null],
    ['http://h/', null],
  ])('the address %s names this scene file', (href, address) => {
    expect(readSceneAddress(href)).toBe(address);
    const isFile = address !== null || /[/.:]/.test(new URL(href).searchParams.get('scene') ?? '');
    if (isFile) expect(readScene(href)).toBe('warehouse');
    if (isFile && address === null)
      expect(sceneMistake(href)).toMatch(/^The scene .* cannot be opened: a scene file must be at an https address/);
    else expect(sceneMistake(href)).toBeNull();
  });

  const answer = (body: BodyInit | null, init: ResponseInit = {}, url = '') =>
    (async () => Object.defineProperty(new Response(body, init), 'url', { value: url })) as typeof fetch;

  it.each<[string, typeof fetch, unknown]>([
    ['a file', answer('{"a":"ä"}'), { ok: true, text: '{"a":"ä"}' }],
    ['nothing', answer(null), { ok: true, text: '' }],
    [
      'an error',
      answer('no', { status: 404 }),
      { ok: false, problems: [{ path: '', reason: 'could not be fetched: its server answers with HTTP status 404.' }] },
    ],
    [
      'too much',
      answer('x'.repeat(SCENE_LIMITS.bytes + 1)),
      { ok: false, problems: [{ path: '', reason: expect.stringMatching(/^is larger than/) }] },
    ],
    [
      'another address without https',
      answer('{}', {}, 'http://other/a.json'),
      { ok: false, problems: [{ path: '', reason: expect.stringMatching(/without https/) }] },
    ],
    [
      'no server',
      async () => Promise.reject(new TypeError('failed')),
      { ok: false, problems: [{ path: '', reason: expect.stringMatching(/CORS/) }] },
    ],
  ])('a scene address with %s as its answer is handled', async (_, fetchFn, expected) => {
    expect(
      await fetchFile('https://example.org/a.json', { ownOrigin: 'http://h', maxBytes: SCENE_LIMITS.bytes, fetchFn }),
    ).toEqual(expected);
  });
});
