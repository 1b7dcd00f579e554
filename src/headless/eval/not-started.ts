import { didYouMean } from '../near-miss.ts';
import { PLANNER } from './planner-run.ts';

/** The shell's message for a file that is not a program. */
const NO_PROGRAM = 126;
/** Settings before a command, which may be secrets. */
const SETTINGS = /^(?:[A-Za-z_]\w*=\S*\s+)*/;
/** With these characters a command consists of several, or the shell assembles it; only the shell names the missing one. */
const OF_SHELL = /[;&|<>$`(){}"'\\\n]/;

/** Returns the sentence about an agent's command that could not be started. Its arguments are not shown: a key may be among them. */
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
