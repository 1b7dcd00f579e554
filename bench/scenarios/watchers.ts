/** How many may watch a robot: a worker's robot that turns for ever, and watchers without a page, all on this machine beside the SFU. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Room } from '@livekit/rtc-node';
import type { BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { rcwIdentity } from '../../src/protocol/identity.ts';
import { WORLD_TOPIC } from '../../src/protocol/world-stream/world-frame.ts';
import { WorldReader } from '../../src/protocol/world-stream/world-reader.ts';
import { MOVING_EVERY_MS, WorldWriter } from '../../src/protocol/world-stream/world-writer.ts';
import { type RobotLink, startRobot } from '../../src/worker/robot-link.ts';
import type { BenchRobot } from '../platform.ts';
import { coreTimeMs } from '../process-time.ts';
import type { Scenario } from '../scenario.ts';
import { figuresOf } from '../statistics.ts';

const COUNTS: Record<BenchSize, { ten: number; fifty: number; hundred: number }> = {
  smoke: { ten: 2, fifty: 3, hundred: 4 },
  full: { ten: 10, fifty: 50, hundred: 100 },
};
const WINDOW_MS: Record<BenchSize, number> = { smoke: 1_500, full: 5_000 };
/** At once: more would wait for each other. */
const JOIN_AT_ONCE = 5;
/** After somebody has joined or left: the SFU has told everybody. */
const SETTLE_MS = 3_500;

/** What came to those who watch in one window. */
interface Seen {
  agesMs: number[];
  bytes: number;
  /** What the same states take when each is told whole. */
  wholeBytes: number;
}

export const watchers: Scenario<'watchers'> = {
  name: 'watchers',
  rounds: { smoke: 1, full: 3 },
  warmUpRounds: { smoke: 0, full: 0 },
  async open(stage, size) {
    if (process.platform !== 'linux') throw new Error('Core time is read from /proc, which is on Linux alone.');
    const robot = await (await stage.platform()).newRobot();
    const link = await turningRobot(robot);
    const counts = COUNTS[size];
    const windowMs = WINDOW_MS[size];
    return {
      async round(index) {
        const crowd = createCrowd(robot, index);
        const measure = async (count: number) => {
          await crowd.fill(count);
          const beganMs = performance.now();
          const beforeMs = coreTimeMs(link.pid ?? 0);
          const seen = await crowd.look(windowMs);
          const passedMs = performance.now() - beganMs;
          const { agesMs, bytes, wholeBytes } = seen;
          const due = (passedMs / MOVING_EVERY_MS) * count;
          const perSecond = (count * passedMs) / 1_000;
          return {
            core: ((coreTimeMs(link.pid ?? 0) - beforeMs) / passedMs) * 100,
            age: figuresOf(agesMs).p99,
            missing: Math.max(0, 1 - agesMs.length / due) * 100,
            kB: bytes / 1_000 / perSecond,
            wholeKB: wholeBytes / 1_000 / perSecond,
          };
        };
        try {
          const [nobody, one] = [await measure(0), await measure(1)];
          const [ten, fifty, hundred] = [await measure(counts.ten), await measure(counts.fifty), await measure(counts.hundred)];
          return {
            ten: { ours: ten.age, bare: one.age },
            fifty: { ours: fifty.age, bare: one.age },
            hundred: { ours: hundred.age, bare: one.age },
            missing: { ours: hundred.missing, bare: one.missing },
            bytes: { ours: hundred.kB, bare: hundred.wholeKB },
            core: { ours: hundred.core, bare: nobody.core },
          };
        } finally {
          await crowd.leave();
        }
      },
      close: () => link.end(),
    };
  },
};

/** A robot in a process of its own that turns where it stands until it is ended. */
async function turningRobot(robot: BenchRobot): Promise<RobotLink> {
  const { url, token, room } = await robot.token(rcwIdentity(robot.id));
  const order = { seed: 1, productVersion: '0', signedOnly: false, worldsDir: null };
  let ready = (): void => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const link = startRobot(
    { ...order, place: { sfuUrl: url, token, room, robotId: robot.id } },
    {
      onJoined: () => {},
      freshToken: async () => null,
      log: ({ event }) => event === 'robot_ready' && ready(),
    },
  );
  await isReady;
  const driver = new Room();
  const place = await robot.token('driver');
  await driver.connect(place.url, place.token, { autoSubscribe: false, dynacast: false });
  const payload = JSON.stringify({ name: 'set_velocity', input: { vyaw: 0.3 } });
  const reply = await driver.localParticipant?.performRpc({
    destinationIdentity: rcwIdentity(robot.id),
    method: 'runtime.tools_call',
    payload,
  });
  if (!reply?.includes('"holds":true')) throw new Error(`The robot does not turn: ${reply}`);
  return {
    ...link,
    async end() {
      await driver.disconnect();
      await link.end();
    },
  };
}

/** Those who watch in one round. */
function createCrowd(robot: BenchRobot, round: number) {
  const rooms: Room[] = [];
  let seen: Seen | null = null;

  async function join(): Promise<void> {
    const number = rooms.length;
    const room = new Room();
    rooms.push(room);
    const reader = new WorldReader();
    room.on('dataReceived', (bytes, participant, _kind, topic) => {
      const nowMs = Date.now();
      if (topic !== WORLD_TOPIC || participant?.identity !== rcwIdentity(robot.id)) return;
      const frame = reader.take(bytes, performance.now());
      if (seen === null) return;
      seen.bytes += bytes.length;
      if (frame === null) return;
      // One machine has one clock.
      seen.agesMs.push(nowMs - frame.stepTimeMs);
      // All see the same: one tells for all what whole states would take.
      if (number === 0) for (const packet of new WorldWriter(1).write(frame, 0)) seen.wholeBytes += packet.length;
    });
    const { url, token } = await robot.token(`watcher-${round}-${number}`, 'watch');
    await room.connect(url, token, { autoSubscribe: false, dynacast: false });
  }

  return {
    async fill(count: number): Promise<void> {
      while (rooms.length < count) {
        await Promise.all(Array.from({ length: Math.min(JOIN_AT_ONCE, count - rooms.length) }, join));
      }
      await sleep(SETTLE_MS);
    },
    async look(windowMs: number): Promise<Seen> {
      const looked: Seen = { agesMs: [], bytes: 0, wholeBytes: 0 };
      seen = looked;
      await sleep(windowMs);
      seen = null;
      return { ...looked, wholeBytes: looked.wholeBytes * rooms.length };
    },
    async leave(): Promise<void> {
      for (const room of rooms.splice(0)) await room.disconnect();
      await sleep(SETTLE_MS);
    },
  };
}
