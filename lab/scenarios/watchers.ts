/**
 * How many participants may watch a robot: a worker's robot that turns without end, and watchers without a page, all on the
 * machine of the SFU.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Room } from '@livekit/rtc-node';
import type { BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { rcwIdentity } from '../../src/protocol/wire/identity.ts';
import { MOVING_EVERY_MS } from '../../src/protocol/world-stream/world-writer.ts';
import { type RobotLink, startRobot } from '../../src/worker/robot-link.ts';
import { processTimes } from '../../tests/costs/process-times.ts';
import type { BenchRobot } from '../platform.ts';
import type { Scenario } from '../scenario.ts';
import { figuresOf } from '../statistics.ts';
import type { FromWatching, Seen, ToWatching } from '../watching.ts';

const COUNTS: Record<BenchSize, { ten: number; fifty: number; hundred: number }> = {
  smoke: { ten: 2, fifty: 3, hundred: 4 },
  full: { ten: 10, fifty: 50, hundred: 100 },
};
const WINDOW_MS: Record<BenchSize, number> = { smoke: 1_500, full: 5_000 };
/** At once: more would wait for each other. */
const JOIN_AT_ONCE = 5;
/** LiveKit's package for Node loses its rooms when one process has joined some dozens. */
const IN_A_PROCESS = 20;
/** After a participant has joined or left, until the SFU has informed all others. */
const SETTLE_MS = 3_500;

export const watchers: Scenario<'watchers'> = {
  name: 'watchers',
  rounds: { smoke: 1, full: 3 },
  warmUpRounds: { smoke: 0, full: 0 },
  async open(stage, size) {
    if (process.platform !== 'linux') throw new Error('Core time is read from /proc, which only Linux has.');
    const robot = await (await stage.platform()).newRobot();
    const link = await turningRobot(robot);
    const counts = COUNTS[size];
    const windowMs = WINDOW_MS[size];
    return {
      async round(index) {
        const crowd = createCrowd(robot, index);
        const measure = async (count: number) => {
          await crowd.fill(count);
          await link.turn();
          const beganMs = performance.now();
          const beforeS = processTimes(link.pid ?? 0).ownS;
          const seen = await crowd.look(windowMs);
          const passedMs = performance.now() - beganMs;
          const { agesMs, bytes, wholeBytes } = seen;
          const due = (passedMs / MOVING_EVERY_MS) * count;
          const perSecond = (count * passedMs) / 1_000;
          return {
            core: ((processTimes(link.pid ?? 0).ownS - beforeS) / (passedMs / 1_000)) * 100,
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

/** A robot in its own process. `turn` lets it turn in place for as long as a velocity holds, which is longer than a window. */
async function turningRobot(robot: BenchRobot): Promise<RobotLink & { turn(): Promise<void> }> {
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
      freshKey: async () => null,
      log: ({ event }) => event === 'robot_ready' && ready(),
    },
  );
  await isReady;
  const driver = new Room();
  const place = await robot.token('driver');
  await driver.connect(place.url, place.token, { autoSubscribe: false, dynacast: false });
  const payload = JSON.stringify({ name: 'set_velocity', input: { vyaw: 0.3 } });
  return {
    ...link,
    async turn() {
      const call = { destinationIdentity: rcwIdentity(robot.id), method: 'runtime.tools_call', payload };
      const reply = await driver.localParticipant?.performRpc(call);
      if (!reply?.includes('"holds":true')) throw new Error(`The robot does not turn: ${reply}`);
    },
    async end() {
      await driver.disconnect();
      await link.end();
    },
  };
}

/** A process of watchers. */
function startWatching() {
  const child = fork(new URL('../watching.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    /** @throws Error with the problem in that process */
    ask(message: ToWatching): Promise<Seen | null> {
      return new Promise((resolve, reject) => {
        const gone = (): void => reject(new Error('A process of watchers has ended.'));
        child.once('exit', gone);
        child.once('message', ({ problem, seen }: FromWatching) => {
          child.off('exit', gone);
          if (problem === null) resolve(seen);
          else reject(new Error(`Watchers: ${problem}`));
        });
        child.send(message);
      });
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** The watchers of one round, in their own processes. */
function createCrowd(robot: BenchRobot, round: number) {
  const groups: ReturnType<typeof startWatching>[] = [];
  let size = 0;

  return {
    async fill(count: number): Promise<void> {
      while (size < count) {
        const inGroup = size % IN_A_PROCESS;
        if (inGroup === 0) groups.push(startWatching());
        const joining = Math.min(JOIN_AT_ONCE, count - size, IN_A_PROCESS - inGroup);
        const numbers = Array.from({ length: joining }, (_, nth) => size + nth);
        const places = await Promise.all(numbers.map((number) => robot.token(`watcher-${round}-${number}`, 'watch')));
        const tokens = places.map(({ token }) => token);
        await groups.at(-1)?.ask({ kind: 'join', url: places[0]?.url ?? '', tokens, runtime: rcwIdentity(robot.id) });
        size += joining;
      }
      await sleep(SETTLE_MS);
    },
    async look(windowMs: number): Promise<Seen> {
      const all: Seen = { agesMs: [], bytes: 0, wholeBytes: 0 };
      const seen = groups.map(({ ask }) => ask({ kind: 'look', windowMs }));
      if (groups.length === 0) await sleep(windowMs);
      for (const part of await Promise.all(seen)) {
        all.agesMs.push(...(part?.agesMs ?? []));
        all.bytes += part?.bytes ?? 0;
        all.wholeBytes += part?.wholeBytes ?? 0;
      }
      return all;
    },
    async leave(): Promise<void> {
      for (const { ask, kill } of groups) {
        // A process that fails while it leaves has still left, a little later.
        await ask({ kind: 'leave' }).catch(() => null);
        kill();
      }
      await sleep(SETTLE_MS);
    },
  };
}
