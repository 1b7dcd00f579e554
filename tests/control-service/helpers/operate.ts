import { readServiceArgs } from '../../../src/launch/service-args.ts';
import { type Printed, runOperatorCommand } from '../../../src/launch/service-commands.ts';
import type { TestService } from './service.ts';

/** Runs an operator's command on the database of a service. */
export function operateOn({ deps }: TestService, ...args: string[]): Promise<Printed> {
  const command = readServiceArgs(args);
  if (command.verb === 'serve') throw new Error('No command on the database.');
  return runOperatorCommand(deps, command);
}
