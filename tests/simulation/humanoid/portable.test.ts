import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../src/simulation/humanoid');

it('the humanoid uses no function whose last bit depends on the engine (P12)', () => {
  const files = readdirSync(FOLDER);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const source = readFileSync(join(FOLDER, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(source, file).not.toMatch(/Math\.(a?(sin|cos|tan)h?|atan2|exp|expm1|log\w*|pow|hypot|cbrt|random)\b|\*\*/);
  }
});
