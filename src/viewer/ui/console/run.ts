import type { CaptureFrame } from '../../../protocol/wire/captures.ts';

/** A picture taken from the console; it is not kept over a reload. */
export interface Picture {
  url: string;
  byteLength: number;
  frame: CaptureFrame;
  camera: string;
}

/** One call made from the console. */
export interface Run {
  runId: string;
  callableId: string;
  /** The submitted values: a skill's input, or a method's request. */
  input: unknown;
  options: Record<string, unknown>;
  startedAtMs: number;
  finishedAtMs: number | null;
  reply: unknown;
  /** A sentence, if there was no reply. */
  problem: string | null;
  picture: Picture | null;
}
