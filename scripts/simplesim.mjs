#!/usr/bin/env node
/** `npm run simplesim -- <command>`: runs the commands as compiled JavaScript. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const RUN = join(import.meta.dirname, 'run.mjs');

// In Node 20, the WebSocket that connects the worker to the SFU needs an option.
if (process.argv[2] === 'worker' && typeof WebSocket === 'undefined') {
  const child = spawn(process.execPath, ['--experimental-websocket', RUN, 'simplesim', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
} else {
  process.argv.splice(1, 1, RUN, 'simplesim');
  await import('./run.mjs');
}
