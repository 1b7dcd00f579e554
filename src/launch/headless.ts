/** `npm run headless`: the simulator's robot in a headless process. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./headless-command.ts'));
