/** `npm run headless`: the simulator's robot without a page. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./headless-command.ts'));
