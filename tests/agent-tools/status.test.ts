import { describe, expect, it, vi } from 'vitest';
import { fakeRobot, standing } from './helpers/fake-robot.ts';

const LINK = `https://example.test/#${'k'.repeat(800)}`;

describe('robot_status', () => {
  it('returns the link to watch only when it is requested', async () => {
    const { use } = fakeRobot({ watchLink: LINK });
    const plain = await use('robot_status');
    expect(JSON.stringify(plain)).not.toContain(LINK);
    expect(plain.said).toContain('People can watch: robot_status with "watch": true returns the link.');
    expect((await use('robot_status', { watch: true })).facts.watch).toBe(LINK);
  });

  it('returns an address without a key each time', async () => {
    const { facts, said } = await fakeRobot({ watchUrl: 'http://127.0.0.1:4000/agent.html' }).use('robot_status');
    expect(facts.watch).toBe('http://127.0.0.1:4000/agent.html');
    expect(said).toContain('People can watch at http://127.0.0.1:4000/agent.html.');
  });

  it('shows the requested seed, and the seed of the world only if the task drew another', async () => {
    const same = await fakeRobot({ seed: 7 }).use('robot_status');
    expect(same.said).toContain('The scene is hall, seed 7.');
    expect(same.facts).not.toHaveProperty('world_seed');
    const drawn = await fakeRobot({ seed: 3 }).use('robot_status');
    expect(drawn.facts).toMatchObject({ seed: 3, world_seed: 7 });
    expect(drawn.said).toContain('The scene is hall, seed 3 (the task drew the seed 7 of the world from it).');
  });

  it('reports a robot that gives no answer as unreachable', async () => {
    const fake = fakeRobot();
    fake.answer.read = () => Promise.reject(new Error('The connection broke.'));
    const { said, facts } = await fake.use('robot_status');
    expect(facts.status).toBe('unreachable');
    expect(said).toBe('The connection broke. Call robot_status again in a few seconds.');
  });
});

it('start_over with a task reports the requested seed', async () => {
  const restart = vi.fn(async () => undefined);
  const fake = fakeRobot({ restart, seed: 3 });
  fake.answer.read = (method) => (method === 'runtime.state' ? standing() : { scene_id: 'hall' });
  const { facts, said } = await fake.use('start_over', { task: 'hall-hold-blue', seed: 3 });
  expect(facts).toMatchObject({ status: 'done', seed: 3, world_seed: 7 });
  expect(said).toContain('seed 3');
});
