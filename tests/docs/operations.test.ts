/** The page of health, metrics and logs names what the code reports, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LogEvent, ROBOT_EVENTS, SERVICE_EVENTS } from '../../scripts/docs/log-events.ts';
import { operationsPage } from '../../scripts/docs/operations-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Facts that shared functions return: `errorFacts` and `callerFields`. */
const SHARED_FIELDS = [readText('src/common/error-facts.ts'), readText('src/protocol/wire/caller.ts')].join('\n');
/** Events of LiveKit, which are not logged. */
const NOT_LOGGED = new Set(['participantUpdate']);
const EVENTS = [...SERVICE_EVENTS, ...ROBOT_EVENTS];

/** The names of a file's log lines: `event: 'name'`, `event: condition ? 'name' : 'name'`, and those of the audit. */
function eventsOf(file: string): string[] {
  const code = readText(file);
  const values = [...code.matchAll(/\bevent: ([^,{}]*)|\blogAction\(('\w+'),/g)].map(
    ([, value, reported]) => value ?? reported ?? '',
  );
  return values.flatMap((value) => [...value.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
}

it('lists every line that the code logs, with the files that log it', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?:control-service|launch|worker|headless|room)\/.*\.ts$/.test(file),
  );
  const logged = files.flatMap((file) => eventsOf(`src/${file}`).map((name) => `${name} in src/${file}`));
  const listed = EVENTS.flatMap(({ name, files: of }) => of.map((file) => `${name} in ${file}`));
  const isLogged = (line: string): boolean => !NOT_LOGGED.has(line.split(' ')[0] ?? '');
  expect(new Set(logged.filter(isLogged))).toEqual(new Set(listed));
});

it.each(EVENTS.map((event) => [event.name, event] as const))(
  'lists fields of %s that its files log',
  (_, { fields, files }: LogEvent) => {
    const code = [...files.map(readText), SHARED_FIELDS].join('\n');
    expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([]);
  },
);

it('lists every metric with its labels', async () => {
  const page = await operationsPage();
  const declared = [...readText('src/control-service/metrics.ts').matchAll(/'(rcs_\w+)'/g)].map(([, name = '']) => name);
  expect(declared.length).toBeGreaterThan(5);
  for (const name of declared) expect(page).toContain(`| \`${name}\` |`);
  expect(page).toContain('| `rcs_sfu_call_failures_total` | counter | `call`, `reason` |');
});
