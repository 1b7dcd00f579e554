import { type Job, JobType } from '@livekit/protocol';
import type { RobotEnd } from '../protocol/room/robot-end.ts';
import { rcwIdentity } from '../protocol/wire/identity.ts';
import type { AgentLink, Answer, Assignment } from './agent-link.ts';
import type { Fleet } from './fleet.ts';
import type { Log } from './log.ts';
import { readRoomFacts } from './room-facts.ts';
import { type SfuAccess, type SfuClient, WORKER_NAME } from './sfu.ts';

export interface JobControlDeps {
  agentName: string;
  fleet: Fleet;
  /** The SFU with which the worker is registered; null while it is not registered. */
  sfu(): { access: SfuAccess; client: SfuClient } | null;
  /** The link that reports on jobs to the SFU. */
  link(): AgentLink;
  log: Log;
}

/** Handles the SFU's jobs, both offered and missed ones. */
export interface JobControl {
  answer(job: Job): Promise<Answer>;
  onAssigned(assignment: Assignment): void;
  onTerminated(jobId: string): void;
  /** Takes over the rooms that have requested this agent and have no worker, because none was available when their job came. */
  takeUpMissed(): Promise<void>;
}

/** Time between acceptance and assignment. */
const PROMISE_KEPT_MS = 15_000;
const HEARD_ITSELF_MS = 500;
/** After this many faults of its own in one room, a robot is not started there again. */
const FAULTS_MAX = 3;
/** Ends after which the robot would end there again, or that were intended. */
const FINAL_ENDS: readonly RobotEnd[] = ['removed', 'ended', 'wrong_robot', 'refused', 'cannot_join'];

export function createJobControl({ agentName, fleet, sfu, link, log }: JobControlDeps): JobControl {
  /** The expiry of a robot's promise to a job, by robot id. */
  const promised = new Map<string, number>();
  /** The place of each job. When a job is withdrawn, its robot may have begun another one in another room. */
  const placeOfJob = new Map<string, { robotId: string; room: string }>();
  /** Rooms that this worker does not take over again unasked. */
  const declined = new Set<string>();
  const faults = new Map<string, number>();

  const isPromised = (robotId: string): boolean => (promised.get(robotId) ?? 0) > performance.now();

  /** Returns whether every place is in use or promised. */
  function isFull(): boolean {
    for (const robotId of promised.keys()) if (!isPromised(robotId)) promised.delete(robotId);
    return fleet.isFull(promised.size);
  }

  function settle(facts: { job?: string; robot_id?: string; room: string }, message: string): Answer {
    log({ level: 'warn', event: 'job_refused', ...facts, message });
    return { kind: 'settle' };
  }

  async function answer(job: Job): Promise<Answer> {
    const room = job.room?.name ?? '';
    const robotId = robotOf(job);
    const facts = { job: job.id, room };
    if (job.type !== JobType.JT_ROOM || room === '') return settle(facts, 'This worker takes jobs for rooms only.');
    if (robotId === null) return settle(facts, NO_ROBOT);
    if (fleet.serves(room, robotId)) {
      // After a restart of the SFU, every room requests its agents again.
      fleet.nudge(robotId);
      return { kind: 'settle' };
    }
    if (isPromised(robotId)) return settle({ ...facts, robot_id: robotId }, ONE_WORKER);
    if (isFull()) {
      log({ level: 'warn', event: 'job_passed', ...facts, robot_id: robotId, message: FULL });
      return { kind: 'pass' };
    }
    promised.set(robotId, performance.now() + PROMISE_KEPT_MS);
    const present = await sfu()
      ?.client.hasWorker(room, robotId)
      .catch(() => false);
    if (present) {
      promised.delete(robotId);
      return settle({ ...facts, robot_id: robotId }, ONE_WORKER);
    }
    return { kind: 'take', identity: rcwIdentity(robotId), name: WORKER_NAME };
  }

  function onAssigned({ job, token, url }: Assignment): void {
    const robotId = robotOf(job);
    const room = job.room?.name;
    const access = sfu()?.access;
    if (robotId === null || !room || !access) return;
    promised.delete(robotId);
    declined.delete(room);
    placeOfJob.set(job.id, { robotId, room });
    fleet.serve(
      { sfuUrl: url ?? access.url, token, room, robotId },
      {
        onJoined: () => link().reportJob(job.id, 'running'),
        onOver(end) {
          placeOfJob.delete(job.id);
          remember(room, end);
          link().reportJob(job.id, end === 'session_deleted' || end === 'ended' ? 'success' : 'failed');
        },
      },
    );
  }

  /**
   * Ends the robot of a withdrawn job, if the withdrawal was ordered. The SFU also withdraws a job whenever the agent leaves its
   * room: while the robot rejoins, or because the SFU ends, which the worker may notice late. In those cases the room still
   * requests its agent, or the SFU does not answer. If an order is missed in this way, the SFU itself disconnects the robot.
   */
  async function letGo(jobId: string, at: ReturnType<JobControlDeps['sfu']>): Promise<void> {
    const place = placeOfJob.get(jobId);
    if (!at || !place) return;
    const isStill = () => sfu() === at && fleet.serves(place.room, place.robotId);
    if (!isStill()) return;
    const isOrder = await at.client.isUnasked(place.room, agentName).catch(() => false);
    if (isOrder && isStill()) fleet.release(place.robotId);
  }

  function remember(room: string, end: RobotEnd): void {
    const broke = end === 'broken' ? (faults.get(room) ?? 0) + 1 : 0;
    if (broke > 0) faults.set(room, broke);
    if (FINAL_ENDS.includes(end) || broke >= FAULTS_MAX) declined.add(room);
  }

  async function takeUpMissed(): Promise<void> {
    const at = sfu();
    if (!at) return;
    const { access, client } = at;
    const ordered = await client.orderedRooms(agentName);
    const known = new Set(ordered.map(({ room }) => room));
    for (const room of declined) if (!known.has(room)) declined.delete(room);
    for (const room of faults.keys()) if (!known.has(room)) faults.delete(room);
    for (const { room, robotId } of ordered) {
      const isTaken = () => isFull() || fleet.serves(room, robotId) || isPromised(robotId) || declined.has(room);
      if (isTaken() || (await client.isOnItsWay(room, agentName)) || (await client.hasWorker(room, robotId)) || isTaken())
        continue;
      const token = await client.placeToken(room, robotId, agentName);
      if (isTaken()) continue;
      log({ level: 'info', event: 'job_taken_up', robot_id: robotId, room, message: MISSED });
      fleet.serve({ sfuUrl: access.url, token, room, robotId }, { onOver: (end) => remember(room, end) });
    }
  }

  return {
    answer,
    onAssigned,
    onTerminated(jobId) {
      const at = sfu();
      // Also sent for a room that was just closed. The robot receives that as well, with the reason.
      setTimeout(() => void letGo(jobId, at), HEARD_ITSELF_MS).unref();
    },
    takeUpMissed,
  };
}

/** Returns the robot that the job's own metadata names, otherwise the room's. */
function robotOf(job: Job): string | null {
  return readRoomFacts(job.metadata).robotId ?? readRoomFacts(job.room?.metadata ?? '').robotId;
}

const NO_ROBOT =
  "The metadata of the job's room has no robot_id. Open the session with the control service, which writes it there.";
const ONE_WORKER = 'This robot has its worker in the room already, and a body takes one. End that one first.';
const FULL = 'This worker serves as many robots as it may (--max-robots). Another one of its name may take the job.';
const MISSED = 'Its session asked for this worker when none was there.';
