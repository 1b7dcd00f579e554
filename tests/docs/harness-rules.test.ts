import { expect, test } from 'vitest';
import { harnessProblem } from '../../scripts/harness-rules.ts';

test.each([
  ['../tests/worker/a.test.ts', '../tests/ground/ground.ts'],
  ['../tests/lab/a.test.ts', '../lab/proof/parts.ts'],
  ['../lab/stage.ts', '../tests/oracle/chance.ts'],
  ['../lab/stage.ts', '../scripts/ensure-browser.ts'],
  ['../tests/e2e/a.spec.ts', '../scripts/ensure-browser.ts'],
  ['../tests/oracle/truth.ts', 'runtime/core.ts'],
  ['../tests/oracle/truth.test.ts', 'runtime/skills/index.ts'],
])('%s may import %s', (from, target) => {
  expect(harnessProblem(from, target)).toBeNull();
});

test.each([
  ['../tests/worker/a.test.ts', '../lab/stage.ts', 'may import'],
  ['../scripts/docs/a.ts', '../tests/ground/ground.ts', 'may import'],
  ['../scripts/docs/a.ts', '../lab/stage.ts', 'may import'],
  ['../lab/stage.ts', '../tests/lab/performance.ts', 'only the lab’s tests'],
  ['../tests/a/b.ts', '../tests/c/d.test.ts', 'which is a test'],
  ['../tests/oracle/truth.ts', 'runtime/skills/index.ts', 'shares no code'],
  ['../tests/oracle/truth.ts', 'simulation/navigation/paths.ts', 'shares no code'],
])('%s may not import %s', (from, target, reason) => {
  expect(harnessProblem(from, target)?.replace("'", '’')).toContain(reason);
});
