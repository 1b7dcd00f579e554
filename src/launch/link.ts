/** `npm run link`: a fresh link to the robot of the local platform. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./link-command.ts'));
