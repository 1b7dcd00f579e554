import type { ServiceDeps } from '../deps.ts';

interface Commands {
  /** Place of the latest command there was. */
  latest: number;
  open: number;
}

const commandsOf = new WeakMap<ServiceDeps, Map<string, Commands>>();

/**
 * Runs one command of a robot, which learns whether this instance was given a later one for the same robot meanwhile. What another
 * instance, or a participant of the room, commands is not seen here.
 */
export async function inOrder<T>(
  deps: ServiceDeps,
  robotId: string,
  run: (isOvertaken: () => boolean) => Promise<T>,
): Promise<T> {
  const robots = commandsOf.get(deps) ?? new Map<string, Commands>();
  commandsOf.set(deps, robots);
  const commands = robots.get(robotId) ?? { latest: 0, open: 0 };
  robots.set(robotId, commands);
  commands.latest += 1;
  commands.open += 1;
  const place = commands.latest;
  try {
    return await run(() => commands.latest > place);
  } finally {
    commands.open -= 1;
    if (commands.open === 0) robots.delete(robotId);
  }
}
