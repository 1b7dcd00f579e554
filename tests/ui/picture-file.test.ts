import { expect, test } from 'vitest';
import { pictureName } from '../../src/viewer/ui/console/download.ts';

test.each([
  ['Sorter 2', 'Sorter-2_pov_step-1200'],
  ['../../etc/Kühlhaus…', 'etc-Ku-hlhaus_pov_step-1200'],
  ['机器人', 'robot_pov_step-1200'],
  ['', 'robot_pov_step-1200'],
])('a picture of %j is saved as %s', (robot, name) => expect(pictureName(robot, 'pov', 1200)).toBe(name));
