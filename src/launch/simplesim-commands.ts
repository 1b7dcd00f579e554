/** The commands of `npm run simplesim`, in the order of its help. */

interface Command {
  name: string;
  /** A one-line description for the help. */
  summary: string;
  /** Reads the arguments of this process from the third on. */
  run(): Promise<unknown>;
}

const COMMANDS: readonly Command[] = [
  { name: 'start', summary: 'the local platform: SFU, control service, viewer', run: () => import('./start-command.ts') },
  { name: 'link', summary: 'a fresh link to the robot of the local platform', run: () => import('./link-command.ts') },
  {
    name: 'class',
    summary: 'a robot for each name of a list, and a page to print with their links',
    run: () => import('./class-command.ts'),
  },
  { name: 'headless', summary: "the simulator's robot without a page", run: () => import('./headless-command.ts') },
  {
    name: 'verify',
    summary: 're-simulates proofs of runs: true, or from which step on they differ',
    run: () => import('./verify-command.ts'),
  },
  {
    name: 'eval',
    summary: 'an agent tries tasks and is judged: results, report, a proof of each run',
    run: () => import('./eval-command.ts'),
  },
  { name: 'mcp', summary: 'a robot for an agent client, by the Model Context Protocol', run: () => import('./mcp-command.ts') },
  { name: 'worker', summary: "the physical robot's contract without a page", run: () => import('./worker-command.ts') },
  { name: 'service', summary: 'the control service alone, API keys, robots', run: () => import('./service-command.ts') },
];

/** Returns the command of this name, if it exists. */
export const commandNamed = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name);

const WIDTH = 12;

export const SIMPLESIM_USAGE = `npm run simplesim -- <command> [options]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(WIDTH)}${summary}`).join('\n')}

"npm run simplesim -- <command> --help" has its options, "--version" prints the version. A command ends with 0 when all is good, 1
when it ran and what was asked for did not hold, 2 for wrong arguments, 3 when it could not run; start, link, worker and service end
with 1 when they could not run.`;

/** Returns the sentence about an unknown command; a name that is not a word is not repeated. */
export const unknownCommand = (name: string): string =>
  `There is no command "${/^[\w-]{1,32}$/.test(name) ? name : '…'}". There are: ${COMMANDS.map((command) => command.name).join(', ')}.`;
