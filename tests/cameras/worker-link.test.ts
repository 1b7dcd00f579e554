import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCameras } from '../../src/cameras/camera-client.ts';
import { CameraError } from '../../src/cameras/camera-error.ts';
import type { FromWorker, ToWorker } from '../../src/cameras/messages.ts';
import type { WorkerLike } from '../../src/cameras/worker-link.ts';
import { SAMPLE_LAYOUT, sampleState } from '../stage/helpers/sample-world.ts';

class FakeWorker implements WorkerLike {
  readonly got: ToWorker[] = [];
  isTerminated = false;
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;

  postMessage(message: ToWorker): void {
    this.got.push(message);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }
  get last(): ToWorker {
    const message = this.got[this.got.length - 1];
    if (!message) throw new Error('nothing was asked of this worker');
    return message;
  }
  /** Answers the last request as a healthy worker would. */
  answer(): void {
    const { type, id } = this.last;
    this.say(
      type === 'capture' ? { type: 'captured', id, capture: { jpeg: new Uint8Array([id]), sha256: 'ab' } } : { type: 'done', id },
    );
  }
}

function open() {
  const workers: FakeWorker[] = [];
  const cameras = createCameras({
    layout: SAMPLE_LAYOUT,
    createWorker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
  });
  const worker = (index: number): FakeWorker => {
    const found = workers[index];
    if (!found) throw new Error(`worker ${index} was not started`);
    return found;
  };
  const capture = (signal?: AbortSignal) =>
    cameras.capture({
      renderState: sampleState(),
      camera: 'pov',
      widthPx: 64,
      heightPx: 36,
      quality: 0.7,
      ...(signal ? { signal } : {}),
    });
  return { cameras, workers, worker, capture };
}

describe('cameras on the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends a new worker the layout first, then draws one picture at a time in order', async () => {
    const { worker, capture } = open();
    const both = [capture(), capture()];
    expect(worker(0).got.map((message) => message.type)).toEqual(['layout']);
    worker(0).answer();
    expect(worker(0).got.map((message) => message.type)).toEqual(['layout', 'capture']);
    worker(0).answer();
    expect(worker(0).got).toHaveLength(3);
    worker(0).answer();
    const [first, second] = await Promise.all(both);
    expect(second?.jpeg[0]).toBeGreaterThan(first?.jpeg[0] ?? 0);
  });

  it('draws a picture again in a fresh worker when the WebGL context is lost', async () => {
    const { worker, workers, capture } = open();
    const picture = capture();
    worker(0).answer();
    worker(0).say({ type: 'lost' });
    expect(worker(0).isTerminated).toBe(true);
    worker(1).answer();
    expect(worker(1).last.type).toBe('capture');
    worker(1).answer();
    await expect(picture).resolves.toMatchObject({ sha256: 'ab' });
    expect(workers).toHaveLength(2);
  });

  it('rejects with a sentence when the second worker breaks too, and serves the next picture', async () => {
    const { worker, capture } = open();
    const picture = capture();
    const next = capture();
    const refused = expect(picture).rejects.toThrow(/lost their drawing context twice \(boom\)\. Ask again/);
    worker(0).answer();
    worker(0).onerror?.({ message: 'boom' } as ErrorEvent);
    worker(1).answer();
    worker(1).onerror?.({ message: 'boom' } as ErrorEvent);
    await refused;
    worker(2).answer();
    worker(2).answer();
    await expect(next).resolves.toMatchObject({ sha256: 'ab' });
  });

  it('treats a silent worker as a broken one', async () => {
    const { worker, capture } = open();
    const picture = capture();
    const refused = expect(picture).rejects.toMatchObject({ reason: 'timeout' });
    worker(0).answer();
    await vi.advanceTimersByTimeAsync(10_001);
    worker(1).answer();
    await vi.advanceTimersByTimeAsync(10_001);
    await refused;
  });

  it('passes a failure on without a new worker', async () => {
    const { worker, workers, capture } = open();
    const picture = capture();
    worker(0).answer();
    worker(0).say({ type: 'failed', id: worker(0).last.id, reason: 'this browser does not encode JPEG.' });
    await expect(picture).rejects.toBeInstanceOf(CameraError);
    expect(workers).toHaveLength(1);
  });

  it('drops an aborted picture at once and keeps the order of the others', async () => {
    const { worker, capture } = open();
    const stop = new AbortController();
    const drawn = capture(stop.signal);
    const queued = capture(stop.signal);
    const kept = capture();
    worker(0).answer();
    stop.abort(new Error('deadline'));
    await expect(drawn).rejects.toThrow('deadline');
    await expect(queued).rejects.toThrow('deadline');
    expect(worker(0).got).toHaveLength(2);
    worker(0).answer();
    worker(0).answer();
    await expect(kept).resolves.toMatchObject({ sha256: 'ab' });
    await expect(capture(stop.signal)).rejects.toThrow('deadline');
  });

  it('uses the newest layout for a worker that starts later', async () => {
    const { cameras, worker, capture } = open();
    const changed = cameras.setLayout({ ...SAMPLE_LAYOUT, scene_id: 'other' });
    worker(0).answer();
    worker(0).answer();
    await changed;
    const picture = capture();
    worker(0).say({ type: 'lost' });
    expect(worker(1).last).toMatchObject({ type: 'layout', layout: { scene_id: 'other' } });
    worker(1).answer();
    worker(1).answer();
    await picture;
  });

  it('reports real progress of the warm-up', async () => {
    const seen: string[] = [];
    const worker = new FakeWorker();
    const cameras = createCameras({
      layout: SAMPLE_LAYOUT,
      createWorker: () => worker,
      onProgress: (done, total) => seen.push(`${done}/${total}`),
    });
    const warm = cameras.warmUp();
    worker.answer();
    worker.say({ type: 'progress', id: worker.last.id, done: 1, total: 2 });
    worker.say({ type: 'progress', id: worker.last.id, done: 2, total: 2 });
    worker.answer();
    await warm;
    expect(seen).toEqual(['1/2', '2/2']);
  });

  it('rejects all pictures when it is closed', async () => {
    const { cameras, worker, capture } = open();
    const waiting = [capture(), capture()];
    const refused = Promise.all(waiting.map((picture) => expect(picture).rejects.toMatchObject({ reason: 'disposed' })));
    cameras.dispose();
    await refused;
    expect(worker(0).isTerminated).toBe(true);
    await expect(capture()).rejects.toMatchObject({ reason: 'disposed' });
  });
});
