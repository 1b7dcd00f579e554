/**
 * Loaded before a program (`--import`): shifts its wall clock by the milliseconds in the file CLOCK_SHIFT_FILE, which is read
 * again and again, as if the machine's clock were set. Monotonic clocks are unaffected.
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
