import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadBinary } from '../../src/viewer/engine/load-binary.ts';

const parts = (...chunks: (Uint8Array | Error)[]) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks.shift();
      if (next === undefined) controller.close();
      else if (next instanceof Error) controller.error(next);
      else controller.enqueue(next);
    },
  });

const answer = (response: Response): Response => {
  vi.stubGlobal('fetch', async () => response);
  return response;
};

afterEach(() => void vi.unstubAllGlobals());

describe('a binary of the page', () => {
  it('a binary is the browser’s own response, which keeps its compiled code, and reports its progress', async () => {
    const sent = answer(new Response(parts(new Uint8Array(3), new Uint8Array(5))));
    const loaded: number[] = [];
    const response = await loadBinary('/physics.wasm', 6, (bytes) => loaded.push(bytes));
    expect(response).toBe(sent);
    expect((await response.arrayBuffer()).byteLength).toBe(8);
    await vi.waitFor(() => expect(loaded).toEqual([3, 6]));
  });

  it('a binary whose connection breaks fails only for its reader', async () => {
    answer(new Response(parts(new Uint8Array(3), new Error('The line broke.'))));
    const response = await loadBinary('/physics.wasm', 6, () => undefined);
    await expect(response.arrayBuffer()).rejects.toThrow('The line broke.');
  });

  it('a missing binary is reported with the answer of the server', async () => {
    answer(new Response('No.', { status: 404 }));
    await expect(loadBinary('/physics.wasm', 6, () => undefined)).rejects.toThrow('The server answered 404 for /physics.wasm.');
  });
});
