import { PerspectiveCamera } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPicture, type PictureEnd, type PicturePort } from '../../src/cameras/picture/picture-client.ts';
import type { FromPicture, PictureFrame, ToPicture } from '../../src/cameras/picture/picture-messages.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { PLAIN_MARKERS } from '../../src/stage/overlay/markers.ts';
import { SAMPLE_LAYOUT, sampleState } from '../stage/helpers/sample-world.ts';

class FakePort implements PicturePort {
  readonly got: ToPicture[] = [];
  readonly transferred: Transferable[] = [];
  isTerminated = false;
  onmessage: PicturePort['onmessage'] = null;
  onerror: PicturePort['onerror'] = null;
  onmessageerror: PicturePort['onmessageerror'] = null;
  postMessage(message: ToPicture, transfer: Transferable[]): void {
    this.got.push(message);
    this.transferred.push(...transfer);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(message: FromPicture): void {
    this.onmessage?.({ data: message } as MessageEvent<FromPicture>);
  }
}

const eye = new PerspectiveCamera();
const FRAME: PictureFrame = {
  renderState: sampleState(),
  overlay: EMPTY_OVERLAY,
  markers: PLAIN_MARKERS,
  statusLight: 'idle',
  inHead: false,
  eyeInWorld: eye.matrixWorld.toArray(),
  projection: eye.projectionMatrix.toArray(),
  widthPx: 640,
  heightPx: 360,
  pixelRatio: 1,
  timeS: 0,
};

function open() {
  const port = new FakePort();
  const canvas = {} as OffscreenCanvas;
  const ends: PictureEnd[] = [];
  const picture = openPicture({ canvas, onEnd: (end) => ends.push(end), createWorker: () => port });
  picture.setStage({ layout: SAMPLE_LAYOUT, quality: 'low', shadows: false });
  const costs: number[] = [];
  const draw = () => picture.draw(FRAME, (costMs) => costs.push(costMs));
  const types = () => port.got.map(({ type }) => type);
  return { port, canvas, picture, ends, costs, draw, types };
}

describe('a picture drawn by a worker', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('transfers the canvas first, then sends the place, then one frame at a time', () => {
    const { port, canvas, picture, costs, draw, types } = open();
    draw();
    draw();
    expect(types()).toEqual(['open', 'stage', 'draw']);
    expect(port.transferred).toEqual([canvas]);
    expect(picture.isDrawing()).toBe(true);
    port.say({ type: 'drawn', costMs: 70 });
    expect(picture.isDrawing()).toBe(false);
    expect(costs).toEqual([70]);
    draw();
    expect(types()).toEqual(['open', 'stage', 'draw', 'draw']);
  });

  it('is lost once, with its drawing context or with a worker that breaks while it draws', () => {
    for (const breaks of [(port: FakePort) => port.say({ type: 'lost' }), (port: FakePort) => port.onerror?.({} as ErrorEvent)]) {
      const { port, ends, draw, types } = open();
      draw();
      port.say({ type: 'drawn', costMs: 70 });
      breaks(port);
      breaks(port);
      draw();
      expect(ends).toEqual(['lost']);
      expect(port.isTerminated).toBe(true);
      expect(types()).toEqual(['open', 'stage', 'draw']);
    }
  });

  it('has failed if it never drew, or if its worker reports that it cannot draw', () => {
    const unborn = open();
    unborn.port.onerror?.({} as ErrorEvent);
    expect(unborn.ends).toEqual(['failed']);
    const unable = open();
    unable.draw();
    unable.port.say({ type: 'drawn', costMs: 70 });
    unable.port.say({ type: 'failed', reason: 'no such thing' });
    expect(unable.ends).toEqual(['failed']);
  });

  it('is lost if a frame does not come in 15 s; the first frame of a stage has 60 s', () => {
    const { port, picture, ends, draw } = open();
    draw();
    vi.advanceTimersByTime(59_000);
    expect(ends).toEqual([]);
    port.say({ type: 'drawn', costMs: 900 });
    vi.advanceTimersByTime(600_000);
    expect(ends).toEqual([]);
    draw();
    vi.advanceTimersByTime(14_000);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(ends).toEqual(['lost']);
    expect(picture.isDrawing()).toBe(false);
  });

  it('gives a new stage its 60 s, although a frame of the previous stage comes after it', () => {
    const { port, picture, ends, draw } = open();
    draw();
    picture.setStage({ layout: SAMPLE_LAYOUT, quality: 'high', shadows: true });
    port.say({ type: 'drawn', costMs: 70 });
    draw();
    vi.advanceTimersByTime(59_000);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(ends).toEqual(['lost']);
  });

  it('reports nothing after it was ended', () => {
    const { port, picture, ends, draw } = open();
    draw();
    picture.dispose();
    port.say({ type: 'drawn', costMs: 5 });
    vi.advanceTimersByTime(600_000);
    expect(ends).toEqual([]);
    expect(port.isTerminated).toBe(true);
  });
});
