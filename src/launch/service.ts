/** `npm run service -- <command>`. */
import { runCommand } from './run-command.ts';

await runCommand(() => import('./service-command.ts'));
