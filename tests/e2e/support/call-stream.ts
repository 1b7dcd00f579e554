/** Calls of all kinds at once, for as long as it takes: the calls of an agent, its cameras and a watcher to one robot. */

import { setTimeout as beat } from 'node:timers/promises';
import type { WireParticipant } from './wire-participant.ts';

/** The outcome of the calls. */
export interface CallStream {
  sent: number;
  answered: number;
  /** How often each outcome came: "go_to done", "runtime.state". */
  outcomes: Record<string, number>;
  /** Faults that must not be: calls without an answer, bytes that differ, replies of no known shape. */
  problems: string[];
}

const READ_EVERY_MS = 100;
const PICTURE_EVERY_MS = 1_000;
const HEAD_EVERY_MS = 700;
/** Failures because the robot is missing. */
const NOT_THERE = ['NOT_READY', 'RUNTIME_SUSPENDED', 'INTERNAL'];

/** Streams calls for so long; each part of the stream waits for its answer before it asks again. */
export async function streamCalls(caller: WireParticipant, durationMs: number): Promise<CallStream> {
  const untilMs = Date.now() + durationMs;
  const stream: CallStream = { sent: 0, answered: 0, outcomes: {}, problems: [] };
  const note = (outcome: string): void => {
    stream.outcomes[outcome] = (stream.outcomes[outcome] ?? 0) + 1;
  };

  // biome-ignore lint/suspicious/noExplicitAny: as in the participant: replies are judged field by field.
  async function ask(method: string, request: unknown, timeoutMs = 60_000): Promise<any> {
    stream.sent += 1;
    try {
      const reply = await caller.call(method, request, timeoutMs);
      stream.answered += 1;
      if (NOT_THERE.includes(reply.error?.code)) stream.problems.push(`${method}: ${reply.error.code}, ${reply.error.message}`);
      return reply;
    } catch (error) {
      stream.problems.push(`${method} ${JSON.stringify(request)}: ${error}`);
      return null;
    }
  }
  async function invoke(name: string, input: unknown): Promise<void> {
    const reply = await ask('runtime.tools_call', { name, input });
    note(`${name} ${reply?.status === 'done' ? 'done' : (reply?.error?.code ?? 'unanswered')}`);
  }
  async function repeat(everyMs: number, act: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; Date.now() < untilMs; turn += 1) {
      await act(turn);
      await beat(everyMs);
    }
  }

  const entity = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });
  const pads = ['pad_C', 'pad_D'];
  await Promise.all([
    repeat(0, async (turn) => {
      await invoke('pick_entity', entity('cube'));
      await invoke('go_to', entity(pads[turn % pads.length] ?? 'pad_C'));
      await invoke('place_entity', {});
      await invoke('go_to', entity('pad_A'));
    }),
    repeat(HEAD_EVERY_MS, async (turn) =>
      turn % 2 === 0 ? invoke('set_head', { yaw: Math.sin(turn), pitch: 0.3 }) : invoke('set_head', { pitch: 0.5 }),
    ),
    repeat(READ_EVERY_MS, async (turn) => {
      const method = ['state', 'scene_state', 'state', 'action', 'tools_list', 'scene_layout', 'manifest', 'capabilities'][
        turn % 8
      ];
      await ask(`runtime.${method}`, {});
      note(`runtime.${method}`);
    }),
    repeat(PICTURE_EVERY_MS, async (turn) => {
      const id = `stream-${turn}`;
      const [width, height] = [
        [640, 360],
        [16, 16],
        [320, 240],
        [1920, 1080],
      ][turn % 4] ?? [640, 360];
      const reply = await ask('runtime.cameras_capture', {
        selector: { kind: 'id', id: turn % 2 === 0 ? 'pov' : 'topdown' },
        options: { width, height },
        stream: { id },
      });
      if (reply?.status !== 'done') {
        stream.problems.push(`a picture of ${width} × ${height}: ${JSON.stringify(reply?.error)}`);
        return;
      }
      const { bytes, sha256, attributes } = await caller.file(id);
      const [w, h] = jpegSize(bytes);
      if (w !== width || h !== height) stream.problems.push(`the picture ${id} is ${w} × ${h} instead of ${width} × ${height}`);
      if (bytes.length !== reply.result.payload.byte_length || sha256 !== attributes.sha256) {
        stream.problems.push(`the bytes of ${id} are not those that were announced`);
      }
      note(`picture ${width} × ${height}`);
    }),
  ]);
  return stream;
}

/** Width and height in a JPEG's start-of-frame segment (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): [number, number] {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
  }
  return [0, 0];
}
