/**
 * Takes a lock so many times among others who do the same: `lock-racer.ts <path> <times>`. After each it leaves the lock as a killed
 * process would. Says whether it was ever not alone.
 */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
  try {
    writeFileSync(path, `999999999 gone-${process.pid}-${count}\n`, { flag: 'wx' });
  } catch {
    // Somebody has taken it already.
  }
}
process.stdout.write(`taken ${times} times, ${others === 0 ? 'alone each time' : `${others} times beside another`}\n`);
