/** The TypeScript client and the control service command a robot that takes signed calls only, over the real SFU. */
import { Client, connect, RcwRuntimeError } from '../../src/client/index.ts';
import { expect, test } from './support/fixtures.ts';

test('the client signs automatically: drive, stop, cancel, thirty reads at a time; the service signs its own commands', async ({
  robot,
  platform,
  openHidden,
}) => {
  await openHidden(await robot.keyUrl('worker'));
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const options = { workerNames: [], keepSession: true, controlHolder: 'tour', rcwIdentityPrefix: 'rcw' } as const;
  const session = await connect(client, robot.id, options);
  try {
    await session.waitUntilReady({ timeoutMs: 60_000 });
    expect(session.runtimeIdentity).toBe(`rcw-${robot.id}`);
    const state = async () => (await session.state.get('robot_status')) as { robot: { pose: { position: number[] } } };
    const at = async () => (await state()).robot.pose.position as [number, number, number];
    const before = await at();

    const driven = await session.invoke('set_velocity', { vx: 0.3 });
    expect(driven).toMatchObject({ status: 'done', result: { holds: true } });
    await expect.poll(async () => Math.hypot((await at())[0] - before[0], (await at())[1] - before[1])).toBeGreaterThan(0.1);
    expect(await session.start('stop', {}).result).toMatchObject({ status: 'done', result: { stopped: true } });
    await expect(session.cancelAction()).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });

    // Reads need no number, so they may overtake one another on their way.
    const many = Array.from({ length: 30 }, (_, i) => session.invoke('get_state', {}, { actionId: `${robot.id}-${i}` }));
    for (const ended of await Promise.all(many)) expect(ended.status).toBe('done');
    for (const vyaw of [0.1, 0.2, 0]) expect(await session.invoke('set_velocity', { vyaw })).toMatchObject({ status: 'done' });
    await client.robots.sendSemanticCommand(robot.id, 'turn-left');
    const commanded = await client.robots.sendSessionCommand(robot.id, 'stop' as string, {});
    expect(commanded).toMatchObject({ status: 'done', result: { stopped: true } });

    const unsigned = await connect(client, robot.id, { ...options, signControl: false });
    await unsigned.waitUntilReady();
    await expect(unsigned.invoke('stop', {})).rejects.toThrow(RcwRuntimeError);
    await unsigned.disconnect();
  } finally {
    await session.disconnect();
  }
});
