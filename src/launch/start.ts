/** `npm start` and `npm run dev`. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./start-command.ts'));
