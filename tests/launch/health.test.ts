import { expect, it } from 'vitest';
import { Health } from '../../src/launch/health.ts';

it('a part is checked once a second, however many requests ask, also at the same time', async () => {
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

it('an added part and the end of the start are reported at once', async () => {
  const health = new Health(() => 0);
  expect(await health.check()).toEqual({ ok: false, parts: { platform: 'starting' } });
  health.add('sfu', async () => true);
  expect(await health.check()).toEqual({ ok: false, parts: { sfu: 'up', platform: 'starting' } });
  health.ready();
  expect(await health.check()).toEqual({ ok: true, parts: { sfu: 'up' } });
});

it('a check that began before a part was added is not cached beyond that moment', async () => {
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
