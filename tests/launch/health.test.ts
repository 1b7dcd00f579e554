import { expect, it } from 'vitest';
import { Health } from '../../src/launch/health.ts';

it('a part is looked at once a second, however many ask, also at once', async () => {
  let nowMs = 0;
  let looks = 0;
  let isUp = true;
  const health = new Health(() => nowMs);
  health.add('database', async () => {
    looks += 1;
    return isUp;
  });
  health.ready();
  const answers = await Promise.all(Array.from({ length: 100 }, () => health.check()));
  expect(new Set(answers.map(({ ok }) => ok))).toEqual(new Set([true]));
  expect(looks).toBe(1);
  isUp = false;
  nowMs += 999;
  expect([(await health.check()).ok, looks]).toEqual([true, 1]);
  nowMs += 1;
  expect(await health.check()).toEqual({ ok: false, parts: { database: 'down' } });
  expect(looks).toBe(2);
});

it('a part that is added, and the end of the start, are told at once', async () => {
  const health = new Health(() => 0);
  expect(await health.check()).toEqual({ ok: false, parts: { platform: 'starting' } });
  health.add('sfu', async () => true);
  expect(await health.check()).toEqual({ ok: false, parts: { sfu: 'up', platform: 'starting' } });
  health.ready();
  expect(await health.check()).toEqual({ ok: true, parts: { sfu: 'up' } });
});

it('a look that began before a part was added is not remembered for after it', async () => {
  const health = new Health(() => 0);
  let end = (_isUp: boolean): void => {};
  health.add(
    'database',
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  const early = health.check();
  health.ready();
  end(true);
  expect((await early).ok).toBe(true);
  const late = health.check();
  end(false);
  expect((await late).ok).toBe(false);
});
