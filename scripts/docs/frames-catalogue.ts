/**
 * The counts of `npm run lab -- frames`: the single source for the command, the test that checks them, and the page of
 * measurements.
 */
import type { Audience, StageQuality } from '../../src/stage/types.ts';

export const FRAME_SCENES = ['idle', 'walking', 'carrying'] as const;
export type FrameScene = (typeof FRAME_SCENES)[number];

/** Mean values per frame. Times differ from machine to machine; the other values do not. */
export interface FrameCounts {
  drawCalls: number;
  triangles: number;
  /** Bytes into buffers and textures of the graphics card. */
  uploadedBytes: number;
  /** Uniforms: matrices, lights, colours. */
  uniformBytes: number;
  /** Memory of the page, most of it three's own. Sampled. */
  allocatedBytes: number;
  mainThreadMs: number;
}

/** The limits of a frame; the test enforces them. */
export type FrameBounds = Omit<FrameCounts, 'mainThreadMs'>;

export interface FramePicture {
  audience: Audience;
  quality: StageQuality;
  bounds: FrameBounds;
}

/** By their names in the table. The camera is above the warehouse and sees all of it. */
export const FRAME_PICTURES: Readonly<Record<string, FramePicture>> = {
  'for people, by a graphics card': {
    audience: 'people',
    quality: 'high',
    bounds: { drawCalls: 150, triangles: 205_000, uploadedBytes: 700, uniformBytes: 14_000, allocatedBytes: 120_000 },
  },
  'for the cameras, by the processor': {
    audience: 'camera',
    quality: 'low',
    bounds: { drawCalls: 62, triangles: 104_000, uploadedBytes: 700, uniformBytes: 5_000, allocatedBytes: 60_000 },
  },
};

/** By picture and scene. */
export type FramesResult = Record<string, Partial<Record<FrameScene, FrameCounts>>>;

/** Returns a text for each count of a frame that is too high. At rest nothing may be uploaded. */
export function overBounds({ bounds }: FramePicture, scene: FrameScene, counts: FrameCounts): string[] {
  return (Object.keys(bounds) as (keyof FrameBounds)[]).flatMap((name) => {
    const most = name === 'uploadedBytes' && scene === 'idle' ? 0 : bounds[name];
    return counts[name] > most ? [`${name} ${Math.round(counts[name])}, at most ${most}`] : [];
  });
}
