import { shownLine, shownName } from '../common/shown-text.ts';
import { createKey, type KeyInfo, listKeys, revokeKey } from '../control-service/accounts.ts';
import type { ServiceDeps } from '../control-service/deps.ts';
import { endSessionsOfKey } from '../control-service/operations/idle-sessions.ts';
import { pinVoidReason, reissuePin } from '../control-service/operations/pin-life.ts';
import { listEveryRobot, registerPhysicalRobot } from '../control-service/operations/robots.ts';
import { UsageError } from './read-options.ts';
import type { ServiceVerb } from './service-args.ts';

/** The output of a command. */
export interface Printed {
  /** The result, which programs may read. */
  out: string;
  /** Further information for people. */
  note: string;
}

const PIN_STATES = { holds: 'holds', released: 'void: released', wrong_pins: 'void: too many wrong PINs' } as const;

const ROOMS_STAY =
  'Room tokens that were made with it let in until they expire, and who is in a room by then stays; --end-sessions removes all participants from the rooms of the account.';

/** The parts of the service that commands need. */
export type OperatorDeps = Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes' | 'settings'>;

/** Carries out an operator's command on an open database. @throws With a sentence on what to do */
export async function runOperatorCommand(deps: OperatorDeps, command: Exclude<ServiceVerb, { verb: 'serve' }>): Promise<Printed> {
  switch (command.verb) {
    case 'keys create': {
      const { account, name, expiresInMs } = command;
      const expiresAt = expiresInMs === null ? null : new Date(deps.clock.nowMs() + expiresInMs);
      const { key, info } = await createKey(deps, { account, name, expiresAt });
      const until = expiresAt === null ? 'until it is revoked' : `until ${timeOf(expiresAt)}`;
      return {
        out: key,
        note: `This key of ${shownName(account)} holds ${until}. Store it now: it is not shown again. Its id is ${info.id}.`,
      };
    }
    case 'keys list': {
      const keys = await listKeys(deps.db, command.account);
      if (keys.length === 0)
        return { out: '', note: 'There are no keys. Make one: npm run service -- keys create --account NAME' };
      return { out: table(keys.map((key) => keyRow(key, deps.clock.nowMs()))), note: '' };
    }
    case 'keys revoke':
      return revoke(deps, command.idOrPrefix, command.endSessions);
    case 'robots issue': {
      const { robot, pinCode } = await registerPhysicalRobot(deps, command);
      const note = 'Store the PIN now: it is not shown again. An account with the PIN can claim the robot.';
      return { out: `id   ${robot.id}\nPIN  ${pinCode}`, note };
    }
    case 'robots reissue-pin': {
      const pinCode = await reissuePin(deps, command.robotId);
      if (pinCode === null) {
        throw new UsageError(`No robot has the id ${command.robotId}. List them: npm run service -- robots list`);
      }
      const note = 'Store the PIN now: it is not shown again. The old PIN no longer works. The current owner keeps the robot.';
      return { out: `id   ${command.robotId}\nPIN  ${pinCode}`, note };
    }
    case 'robots list': {
      const robots = await listEveryRobot(deps.db);
      if (robots.length === 0) return { out: '', note: 'There are no robots.' };
      const rows = robots.map((robot) => ({
        id: robot.id,
        type: robot.type,
        model: robot.model,
        name: robot.name,
        owner: robot.owner ?? 'nobody yet',
        PIN: PIN_STATES[pinVoidReason(deps.settings, robot) ?? 'holds'],
        made: timeOf(robot.createdAt),
      }));
      return { out: table(rows), note: '' };
    }
  }
}

async function revoke(deps: OperatorDeps, idOrPrefix: string, endSessions: boolean): Promise<Printed> {
  const matching = (await listKeys(deps.db)).filter((key) => key.id === idOrPrefix || key.prefix === idOrPrefix);
  const [key] = matching;
  if (!key) throw new UsageError(`No key has the id or prefix ${idOrPrefix}. List them: npm run service -- keys list`);
  if (matching.length > 1) {
    const list = table(matching.map((one) => keyRow(one, deps.clock.nowMs())));
    throw new UsageError(`${matching.length} keys begin so. Name one by its id:\n\n${list}`);
  }
  if (key.revokedAt === null) await revokeKey(deps, key.id);
  const said =
    key.revokedAt === null
      ? `Key ${key.id} of ${shownName(key.account)} is revoked: the next request with it is refused.`
      : `Key ${key.id} of ${shownName(key.account)} was revoked already, ${timeOf(key.revokedAt)}.`;
  if (!endSessions) return { out: '', note: `${said} ${ROOMS_STAY}` };
  const count = await endSessionsOfKey(deps, key.id);
  return {
    out: '',
    note: `${said} The account's open sessions, ${count}, end within seconds while a service runs: all participants are removed from their rooms.`,
  };
}

function keyRow(key: KeyInfo, nowMs: number): Record<string, string> {
  const hasEnded = key.expiresAt !== null && key.expiresAt.getTime() <= nowMs;
  return {
    prefix: key.prefix === '' ? '(its own form)' : `${key.prefix}…`,
    account: key.account,
    name: key.name,
    made: timeOf(key.createdAt),
    expires: key.expiresAt === null ? 'never' : `${timeOf(key.expiresAt)}${hasEnded ? ' (expired)' : ''}`,
    revoked: key.revokedAt === null ? 'no' : timeOf(key.revokedAt),
    id: key.id,
  };
}

const timeOf = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** Formats rows as columns of even width, with the names of the columns first. */
function table(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0] ?? {});
  // Other people choose names, so no name may look like another column or row.
  const cellOf = (row: Record<string, string>, name: string): string => shownLine(row[name] ?? '');
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => cellOf(row, name).length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(names), ...rows.map((row) => line(names.map((name) => cellOf(row, name))))].join('\n');
}
