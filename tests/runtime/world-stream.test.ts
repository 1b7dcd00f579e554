import { expect, it } from 'vitest';
import type { RobotId } from '../../src/protocol/wire/robot.ts';
import { WorldReader } from '../../src/protocol/world-stream/world-reader.ts';
import { WorldWriter } from '../../src/protocol/world-stream/world-writer.ts';
import { expectSameWorld } from '../protocol/world-stream/same-world.ts';
import { createTestRuntime } from './test-runtime.ts';

const BYTES_PER_S_MAX = 20_000;
const PACKET_HEADERS_BYTES = 150;

const entity = (id: string) => ({ target: { kind: 'entity', entity_id: id } });
const SORTING = [
  ['pick_entity', entity('cube_0')],
  ['go_to', entity('pad_B')],
] as const;
const CARRYING = [
  ['go_to', entity('cube_2')],
  ['pick_entity', entity('cube_2')],
  ['go_to', entity('pad_2')],
] as const;

it.each<[RobotId, string, typeof SORTING | typeof CARRYING]>([
  ['humanoid', 'warehouse', SORTING],
  ['picker', 'warehouse', SORTING],
  ['humanoid', 'hall', CARRYING],
])('a %s that carries a cube in the %s is shown exactly, for a few kilobytes a second', async (robotId, sceneId, walk) => {
  const robot = await createTestRuntime({ robotId, sceneId });
  const [writer, reader] = [new WorldWriter(7), new WorldReader()];
  const sent = { bytes: 0, packets: 0, seconds: 0 };
  const actions = new Set<string | null>();
  let held = 0;
  const look = (): void => {
    if (!writer.isDue(robot.nowMs)) return;
    const world = robot.runtime.worldSnapshot(robot.nowMs);
    for (const packet of writer.write(world, robot.nowMs)) {
      sent.bytes += packet.length + PACKET_HEADERS_BYTES;
      sent.packets += 1;
      const frame = reader.take(packet, robot.nowMs);
      if (frame === null) continue;
      expectSameWorld(frame, world);
      actions.add(frame.status.action);
      if (frame.state.things.some((thing) => thing.held)) held += 1;
    }
  };
  const startMs = robot.nowMs;
  for (const [skill, input] of walk) {
    const call = robot.start(skill, input);
    robot.stepUntil(() => {
      look();
      return call.replies > 0;
    });
    expect(call.reply).toMatchObject({ status: 'done' });
  }
  sent.seconds = (robot.nowMs - startMs) / 1000;
  expect(held).toBeGreaterThan(20);
  expect(actions).toContain('pick_entity');
  expect(sent.packets / sent.seconds).toBeLessThan(21);
  expect(sent.bytes / sent.seconds).toBeLessThan(BYTES_PER_S_MAX);
});
