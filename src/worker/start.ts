import { errorFacts } from '../common/error-facts.ts';
import type { RobotEnd } from '../protocol/room/robot-end.ts';
import { type AgentLink, openAgentLink } from './agent-link.ts';
import { createFleet, type FleetSettings } from './fleet.ts';
import { createJobControl } from './jobs.ts';
import type { Log } from './log.ts';
import { sweepWorlds } from './robot/world-file.ts';
import type { Place } from './robot-messages.ts';
import { createSfuClient, type SfuAccess, type SfuClient } from './sfu.ts';

/** A running worker. */
export interface RunningWorker {
  /** Settles when it has ended unasked, with a sentence on the reason. */
  readonly over: Promise<string>;
  /** Stops every robot, leaves every room and ends; takes a matter of seconds. */
  stop(): Promise<void>;
}

export interface AgentWorkerOptions {
  agentName: string;
  settings: FleetSettings;
  /** Read again before each registration; null while no SFU is known. */
  access(): SfuAccess | null;
  /** Whether to retry keys that the SFU rejects, because `access` may return others. */
  retryRefused: boolean;
  log: Log;
}

/** How often to search for rooms without their worker. */
const LOOK_EVERY_MS = 5_000;
/** Jobs that are offered upon the registration come first. */
const FIRST_LOOK_AFTER_MS = 500;
/**
 * After a restart of the SFU, the robots of all workers are still rejoining. Only after this time is a room without one
 * considered missed.
 */
const LOOK_AFTER_RETURN_MS = 8_000;

/** Registers with the SFU as an agent and takes its jobs. */
export function startAgentWorker(options: AgentWorkerOptions): RunningWorker {
  const { agentName, settings, log } = options;
  tidyWorlds(settings, log);
  let at: { access: SfuAccess; client: SfuClient } | null = null;
  let wasRegistered = false;
  let looking: NodeJS.Timeout | null = null;
  let refusal: string | null = null;
  let stopped = false;

  const fleet = createFleet({
    settings,
    log,
    async freshKey({ room, robotId }) {
      if (!at) return null;
      const { access, client } = at;
      return { sfuUrl: access.url, token: await client.placeToken(room, robotId, agentName) };
    },
    renewsKeys: true,
    onCount: (count) => link.reportLoad(count),
  });
  const jobs = createJobControl({ agentName, fleet, sfu: () => at, link: () => link, log });

  function look(afterMs: number): void {
    looking = setTimeout(async () => {
      await jobs.takeUpMissed().catch((thrown) => log({ level: 'warn', event: 'rooms_not_read', ...errorFacts(thrown) }));
      if (at) look(LOOK_EVERY_MS * (1 + 0.2 * Math.random()));
    }, afterMs);
  }

  const link: AgentLink = openAgentLink({
    agentName,
    version: settings.productVersion,
    access: options.access,
    answer: jobs.answer,
    onAssigned: jobs.onAssigned,
    onTerminated: jobs.onTerminated,
    onRegistered(access) {
      const isAgain = wasRegistered;
      wasRegistered = true;
      at = { access, client: createSfuClient(access) };
      link.reportLoad(fleet.count());
      if (looking) clearTimeout(looking);
      look(isAgain ? LOOK_AFTER_RETURN_MS : FIRST_LOOK_AFTER_MS);
    },
    onLost() {
      at = null;
      if (looking) clearTimeout(looking);
    },
    onRefused(host) {
      if (options.retryRefused) return true;
      refusal = `The SFU at ${host} refuses the keys. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET to those of that server.`;
      return false;
    },
    load: () => (stopped ? 1 : fleet.count() / settings.maxRobots),
    log,
  });

  const stop = async (): Promise<void> => {
    stopped = true;
    link.reportLoad(fleet.count());
    if (looking) clearTimeout(looking);
    await fleet.end();
    link.close();
    await link.over;
  };
  return {
    stop,
    over: link.over.then(async () => {
      if (!stopped) await stop();
      return refusal ?? 'The worker has ended.';
    }),
  };
}

export interface RoomWorkerOptions {
  place: Place;
  settings: FleetSettings;
  log: Log;
}

function tidyWorlds({ worldsDir }: FleetSettings, log: Log): void {
  if (worldsDir === null) return;
  sweepWorlds(worldsDir, Date.now()).catch((thrown) => log({ level: 'warn', event: 'worlds_not_swept', ...errorFacts(thrown) }));
}

/** A broken process is started again, a limited number of times. */
const STARTS_MAX = 3;

/** Serves one robot in one room, with a given token. */
export function startRoomWorker({ place, settings, log }: RoomWorkerOptions): RunningWorker {
  tidyWorlds(settings, log);
  const fleet = createFleet({ settings, log, freshKey: async () => null, renewsKeys: false, onCount: () => undefined });
  const serveOnce = (): Promise<RobotEnd> => new Promise((resolve) => fleet.serve(place, { onOver: resolve }));
  const serve = async (): Promise<string> => {
    for (let starts = 1; ; starts += 1) {
      const end = await serveOnce();
      if (end !== 'broken' || starts === STARTS_MAX) return end;
    }
  };
  return { over: serve(), stop: () => fleet.end() };
}
