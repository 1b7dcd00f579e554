/** `npm run simplesim`: one command for everything. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./simplesim-command.ts'));
