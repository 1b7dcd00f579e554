/**
 * Takes a lock a given number of times while other processes do the same: `lock-racer.ts <path> <times>`. After each
 * time it leaves the lock as a killed process would. Reports whether another process ever held the lock at the same time.
 */
import { closeSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { takeProcessLock } from '../../../src/control-service/process-lock.ts';

const [path = '', times = ''] = process.argv.slice(2);
let others = 0;
for (let count = 0; count < Number(times); ) {
  const lock = takeProcessLock(path);
  if (!('release' in lock)) continue;
  try {
    closeSync(openSync(`${path}-inside`, 'wx'));
    rmSync(`${path}-inside`);
  } catch {
    others += 1;
  }
  count += 1;
  lock.release();
  leave(`999999999 gone-${process.pid}-${count}\n`);
}
process.stdout.write(`taken ${times} times, ${others === 0 ? 'alone each time' : `${others} times beside another`}\n`);

/** Written in one step, as each holder leaves it, because a partial record of one holder could be read as one of the next. */
function leave(statement: string): void {
  const whole = `${path}-left-${process.pid}`;
  writeFileSync(whole, statement);
  try {
    linkSync(whole, path);
  } catch {
    // Another process has taken it already.
  }
  rmSync(whole);
}
