/** The fate of the jobs that the SFU offers and takes back; the SFU and the robots' processes are simulated. */
import { Job, JobType, Room } from '@livekit/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Fleet } from '../../src/worker/fleet.ts';
import { createJobControl, type JobControlDeps } from '../../src/worker/jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const jobFor = (id: string, room: string, robotId: string): Job =>
  new Job({ id, type: JobType.JT_ROOM, room: new Room({ name: room, metadata: JSON.stringify({ robot_id: robotId }) }) });

/**
 * Creates the handling of jobs, with the robots that it started, each in its room, and those that it ended.
 * `isUnasked`: whether their rooms have stopped asking for an agent.
 */
function createJobs({ maxRobots = 4, isUnasked = async () => true } = {}) {
  const rooms = new Map<string, string>();
  const released: string[] = [];
  const fleet: Fleet = {
    serve: ({ robotId, room }) => void rooms.set(robotId, room),
    serves: (room, robotId) => rooms.get(robotId) === room,
    nudge: () => undefined,
    release: (robotId) => void released.push(`${robotId} in ${rooms.get(robotId)}`),
    count: () => rooms.size,
    isFull: (promised) => rooms.size + promised >= maxRobots,
    end: async () => undefined,
  };
  const link = { over: Promise.resolve(), reportJob: () => undefined, reportLoad: () => undefined, close: () => undefined };
  const access = { url: 'ws://sfu', apiKey: 'k', apiSecret: 's' };
  const sfuClient = {
    refusesKeys: async () => false,
    agentToken: async () => '',
    hasWorker: async () => false,
    orderedRooms: async () => [],
    isOnItsWay: async () => false,
    isUnasked,
    placeToken: async () => '',
  };
  let at: ReturnType<JobControlDeps['sfu']> = { access, client: sfuClient };
  const jobs = createJobControl({
    agentName: 'rcw',
    fleet,
    sfu: () => at,
    link: () => link,
    log: () => undefined,
  });
  return {
    jobs,
    released,
    assign: (job: Job) => jobs.onAssigned({ job, token: 't', url: null }),
    /** Replaces the SFU with another one, or with none. */
    register: (isThere: boolean) => {
      at = isThere ? { access, client: sfuClient } : null;
    },
  };
}

it('a job that is taken back ends its robot', async () => {
  const { jobs, released, assign } = createJobs();
  assign(jobFor('job-1', 'room-1', 'nova'));
  jobs.onTerminated('job-1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(released).toEqual(['nova in room-1']);
});

it('a job that is taken back does not end the robot’s next session, which began meanwhile in another room', async () => {
  const { jobs, released, assign } = createJobs();
  assign(jobFor('job-1', 'room-1', 'nova'));
  jobs.onTerminated('job-1');
  assign(jobFor('job-2', 'room-2', 'nova'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(released).toEqual([]);
  jobs.onTerminated('job-2');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(released).toEqual(['nova in room-2']);
});

it.each([[[false]], [[false, true]]])(
  'a robot keeps running if its job was taken back because the SFU ended, even if another SFU has started: %s',
  async (after) => {
    const { jobs, released, assign, register } = createJobs();
    assign(jobFor('job-1', 'room-1', 'nova'));
    jobs.onTerminated('job-1');
    for (const isThere of after) register(isThere);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(released).toEqual([]);
  },
);

it.each<[string, () => Promise<boolean>]>([
  ['whose room still asks for it: it joins again', async () => false],
  ['whose SFU does not answer: the SFU is ending, and its connection is still open', () => Promise.reject(new Error('refused'))],
])('a robot keeps running if its job is taken back and it is one %s', async (_which, isUnasked) => {
  const { jobs, released, assign } = createJobs({ isUnasked });
  assign(jobFor('job-1', 'room-1', 'nova'));
  jobs.onTerminated('job-1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(released).toEqual([]);
});

it('a robot keeps running if its SFU went away while it was asked', async () => {
  let answer = (_isUnasked: boolean): void => {};
  const { jobs, released, assign, register } = createJobs({
    isUnasked: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  assign(jobFor('job-1', 'room-1', 'nova'));
  jobs.onTerminated('job-1');
  await vi.advanceTimersByTimeAsync(1_000);
  register(false);
  answer(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(released).toEqual([]);
});

it('promises no more places than it has, and gets unclaimed places back', async () => {
  const { jobs, assign } = createJobs({ maxRobots: 2 });
  const answers = [1, 2, 3].map((n) => jobs.answer(jobFor(`job-${n}`, `room-${n}`, `robot-${n}`)));
  expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(['take', 'take', 'pass']);
  assign(jobFor('job-1', 'room-1', 'robot-1'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await jobs.answer(jobFor('job-4', 'room-4', 'robot-4'))).toMatchObject({ kind: 'take' });
});
