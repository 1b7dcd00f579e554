/** `npm run link`: prints a new link to the robot of the local platform. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./link-command.ts'));
