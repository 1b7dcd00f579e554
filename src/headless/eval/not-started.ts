import { didYouMean } from '../near-miss.ts';
import { PLANNER } from './planner-run.ts';

/** How a shell says that something is there, and is no program. */
const NO_PROGRAM = 126;
/** Settings before a command, which may be secrets. */
const SETTINGS = /^(?:[A-Za-z_]\w*=\S*\s+)*/;
/** With these a command is several, or one that the shell puts together; which of them is not there only the shell says. */
const OF_SHELL = /[;&|<>$`(){}"'\\\n]/;

/** Returns what is told of an agent's command that could not be started. Its arguments are not shown: a key may be among them. */
export function notStarted(command: string, exitCode: number | null): string {
  const words = command.trim().replace(SETTINGS, '').split(/\s+/);
  const [name = ''] = words;
  const guess = words.length === 1 ? didYouMean(name, [PLANNER]) : '';
  return `The agent could not be started: ${whatIsWrong(OF_SHELL.test(command) ? '' : name, exitCode)}.${guess}`;
}

function whatIsWrong(name: string, exitCode: number | null): string {
  if (name === '') return 'there is no such command';
  return exitCode === NO_PROGRAM ? `"${name}" is not a program that can be run` : `there is no command "${name}"`;
}
