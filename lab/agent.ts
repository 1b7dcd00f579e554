import type { WireParticipant } from '../tests/e2e/support/wire-participant.ts';

export const CAPTURES_PER_SECOND = 1;

export interface Worked {
  carried: number;
  failed: number;
  pictures: number;
}

interface Pad {
  pad_id: string;
  role: 'source' | 'destination';
  color?: string;
}

/**
 * Carries cubes from the belt to the pads of their colours, and takes pictures meanwhile. After a rejected call it starts over.
 */
export async function workUntil(agent: WireParticipant, untilMs: number): Promise<Worked> {
  const worked: Worked = { carried: 0, failed: 0, pictures: 0 };
  const pictures = takePictures(agent, untilMs, worked);
  const { pads } = (await agent.call('runtime.scene_layout')) as { pads: Pad[] };
  for (let seed = 1; Date.now() < untilMs; ) {
    if (await carryOne(agent, pads)) worked.carried += 1;
    else {
      worked.failed += 1;
      seed += 1;
      await agent.invoke('reset', { seed });
    }
  }
  await pictures;
  return worked;
}

async function carryOne(agent: WireParticipant, pads: Pad[]): Promise<boolean> {
  const picked = await agent.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube' } });
  if (picked.status !== 'done') return false;
  const held = picked.result.held as string;
  const { entities } = await agent.call('runtime.scene_state', { entity_ids: [held] });
  const pad = pads.find(({ color, role }) => role === 'destination' && color === entities[held].state.color);
  if (!pad) return false;
  const target = { kind: 'entity', entity_id: pad.pad_id };
  const walked = await agent.invoke('go_to', { target });
  const placed = walked.status === 'done' ? await agent.invoke('place_entity', { target }) : walked;
  const back = await agent.invoke('go_to', {
    target: { kind: 'entity', entity_id: pads.find(({ role }) => role === 'source')?.pad_id },
  });
  return placed.status === 'done' && back.status === 'done';
}

async function takePictures(agent: WireParticipant, untilMs: number, worked: Worked): Promise<void> {
  const cameras = ['pov', 'topdown'];
  for (let number = 0; Date.now() < untilMs; number += 1) {
    const dueAtMs = Date.now() + 1000 / CAPTURES_PER_SECOND;
    const reply = await agent.call('runtime.cameras_capture', {
      selector: { kind: 'id', id: cameras[number % 2] },
      options: { width: 640, height: 360 },
    });
    if (reply.status === 'done') worked.pictures += 1;
    // This many pictures a second, however long one takes.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAtMs - Date.now())));
  }
}

/** Often enough to notice whatever delays the page. */
const READS_EVERY_MS = 50;

/** Reads the state all the time, as a program that steers does. @param tell receives the duration of each read */
export async function readUntil(reader: WireParticipant, untilMs: number, report: (tookMs: number) => void): Promise<void> {
  while (Date.now() < untilMs) {
    const askedAtMs = performance.now();
    await reader.call('runtime.state');
    const tookMs = performance.now() - askedAtMs;
    report(tookMs);
    // This many reads a second, however long one takes.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, READS_EVERY_MS - tookMs)));
  }
}
