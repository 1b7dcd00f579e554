#!/usr/bin/env node
/**
 * `npm run simplesim -- <command>`: runs a command of `src/launch` as compiled JavaScript. First compiles changed files, in a
 * process that exits.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED_DIR, isStale } from './compiled.mjs';

// In Node 20, the WebSocket that connects the worker to the SFU needs an option.
if (process.argv[2] === 'worker' && typeof WebSocket === 'undefined') {
  const args = ['--experimental-websocket', import.meta.filename, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
} else {
  if (isStale()) compile();
  await import(pathToFileURL(join(COMPILED_DIR, 'launch/simplesim.js')).href);
}

function compile() {
  const { status, signal, error } = spawnSync(process.execPath, [join(import.meta.dirname, 'compile.mjs')], {
    // Standard output belongs to the command, whose reader may be a program.
    stdio: ['ignore', 2, 'inherit'],
  });
  if (error) throw error;
  if (signal) {
    console.error(
      `The commands could not be compiled: the process that compiles them was ended (${signal}). If memory is short, free some; then start again.`,
    );
  }
  if (status !== 0) process.exit(status ?? 1);
}
