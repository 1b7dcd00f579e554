/** The choices of `runtime.control`: judged by the driver afterwards, as the state shows it. */
import type { TestRuntime } from '../runtime/test-runtime.ts';

/** The actions that a driver may take, in the order in which each has an effect; the next driver, by the state. */
const DRIVES_AFTER = { take: 'agent', renew: 'agent', give: 'another', ask: 'another', release: null } as const;

export function controlActions(t: TestRuntime, actions: readonly string[]): string[] {
  const problems = actions.filter((action) => !(action in DRIVES_AFTER)).map((action) => `${action} has no case`);
  for (const [action, expected] of Object.entries(DRIVES_AFTER)) {
    if (action === 'give') t.send('runtime.control', { action: 'ask' }, 'another');
    const { reply } = t.send('runtime.control', { action }, action === 'release' ? 'another' : 'agent');
    const driver = t.read('runtime.state').robot.extra.driver?.identity ?? null;
    if (driver !== expected) problems.push(`after ${action}, answered ${JSON.stringify(reply)}, ${driver} drives`);
  }
  return problems;
}

/** Each kind of driver is shown under the name that it gives itself. */
export function driverKinds(t: TestRuntime, kinds: readonly string[]): string[] {
  return kinds.flatMap((kind) => {
    t.send('runtime.control', { action: 'take', kind });
    const shown = t.read('runtime.state').robot.extra.driver?.kind;
    t.send('runtime.control', { action: 'release' });
    return shown === kind ? [] : [`one of kind ${kind} is shown as ${shown}`];
  });
}
