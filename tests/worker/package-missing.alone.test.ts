/** A machine for which LiveKit's package has no native part. */
import { expect, it, vi } from 'vitest';
import { robotEndText } from '../../src/protocol/room/robot-end.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { startLiveRobot } from '../../src/worker/robot/live-robot.ts';
import { startWelcomingSfu } from './helpers/welcoming-sfu.ts';

vi.mock('@livekit/rtc-node', () => {
  throw new Error('Cannot find native binding.');
});

it('a robot without the native part of LiveKit ends, and names the missing part', async ({ onTestFinished }) => {
  const sfu = await startWelcomingSfu();
  onTestFinished(() => sfu.stop());
  const log: LogEntry[] = [];
  const robot = startLiveRobot(
    {
      place: { sfuUrl: sfu.url, token: 'token', room: 'room-1', robotId: 'r1' },
      seed: 1,
      productVersion: '0.0.0',
      signedOnly: false,
      worldsDir: null,
    },
    { freshKey: async () => null, log: (entry) => log.push(entry) },
  );
  expect(await robot.over).toBe('cannot_join');
  expect(robotEndText('cannot_join', 'worker')).toContain('@livekit/rtc-node');
  expect(log.find(({ event }) => event === 'room_not_loaded')).toMatchObject({ level: 'error', error: expect.any(String) });
});
