/**
 * Loaded before a program (`--import`): its wall clock is off by the milliseconds in the file CLOCK_SHIFT_FILE, looked at again and again,
 * as when somebody sets the clock of the machine. Monotonic clocks stay.
 */
import { readFileSync, watchFile } from 'node:fs';

const LOOK_EVERY_MS = 20;
const file = process.env.CLOCK_SHIFT_FILE ?? '';
const realNow = Date.now.bind(Date);
let shiftMs = 0;
function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}
look();
watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, look);
Date.now = () => realNow() + shiftMs;
