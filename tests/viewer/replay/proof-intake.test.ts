/** A proof that the address of the replay page names. */
import { afterEach, expect, it, vi } from 'vitest';
import { createReplayEngine, type ReplayEngine } from '../../../src/viewer/engine/replay/replay-engine.ts';
import { openProofAddress } from '../../../src/viewer/replay/proof-intake.ts';

const PAGE = 'https://robots.test/sim/replay.html';

afterEach(() => vi.unstubAllGlobals());

/** Opens the page at an address whose files a server answers with. */
async function openAt(query: string, answer: () => Response | Promise<Response>, meanwhile = (_: ReplayEngine) => {}) {
  const asked: string[] = [];
  const started: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return answer();
  });
  const engine = createReplayEngine({
    openWorker: () => ({ start: (proof) => void started.push(proof), terminate: () => undefined }),
    nowMs: () => 0,
    every: () => () => undefined,
  });
  const opened = openProofAddress(engine, `${PAGE}${query}`);
  meanwhile(engine);
  await opened;
  return { asked, started, ...engine.replay.getState() };
}

it('opens a proof beside the page, and one of another site over https', async () => {
  const own = await openAt('?proof=proofs/run.json', () => new Response('a proof'));
  expect(own).toMatchObject({ asked: ['https://robots.test/sim/proofs/run.json'], started: ['a proof'], fileName: 'run.json' });
  const other = await openAt('?proof=https://example.org/run.json', () => new Response('another'));
  expect(other).toMatchObject({ asked: ['https://example.org/run.json'], started: ['another'] });
});

it('opens nothing without an address', async () => {
  expect(await openAt('', () => new Response())).toMatchObject({ asked: [], started: [], fileName: null, problem: null });
});

it('reports a file that the server does not have, and an address that the page does not open', async () => {
  const missing = await openAt('?proof=proofs/run.json', () => new Response('', { status: 404 }));
  expect(missing).toMatchObject({ started: [], fileName: 'run.json' });
  expect(missing.problem).toBe('The file could not be fetched: its server answers with HTTP status 404.');
  const plain = await openAt('?proof=http://example.org/run.json', () => new Response('a proof'));
  expect(plain).toMatchObject({ asked: [], started: [] });
  expect(plain.problem).toMatch(/^The proof http:\/\/example\.org\/run\.json cannot be opened/);
});

it('keeps the file that a person opens while the file of the address is being fetched', async () => {
  const { started, fileName } = await openAt(
    '?proof=proofs/run.json',
    () => new Response('a proof'),
    (engine) => engine.open('mine.json', 'mine'),
  );
  expect([started, fileName]).toEqual([['mine'], 'mine.json']);
});
