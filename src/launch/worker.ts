/** `npm run worker`: robots behind the physical robot's contract, headless. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./worker-command.ts'));
