import { expect, it } from 'vitest';
import { loadQuietly } from '../../src/common/load-quietly.ts';

/** A load that ends when the test ends it. */
function heldLoad(env: Record<string, string | undefined>): { done: Promise<string>; end(): void; fail(): void } {
  let [end, fail] = [() => {}, () => {}];
  const held = new Promise<string>((resolve, reject) => {
    end = () => resolve('package');
    fail = () => reject(new Error('It does not load.'));
  });
  return { done: loadQuietly(env, () => held), end, fail };
}

it.each([undefined, '', 'development', 'production'])(
  'when loads overlap, the last load restores NODE_ENV=%s',
  async (before) => {
    const env = before === undefined ? {} : { NODE_ENV: before };
    const given = { ...env };
    const [first, second] = [heldLoad(env), heldLoad(env)];
    first.end();
    expect(await first.done).toBe('package');
    expect(env.NODE_ENV).toBe('production');
    second.end();
    await second.done;
    expect(env).toEqual(given);
  },
);

it('a failed load restores NODE_ENV too', async () => {
  const env = {};
  const load = heldLoad(env);
  load.fail();
  await expect(load.done).rejects.toThrow('It does not load.');
  expect(env).toEqual({});
});
