import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newId, newPin } from '../../src/control-service/secrets.ts';
import { hashSecret, isSecret } from '../../src/control-service/slow-hash.ts';

it('a PIN is stored so that only the same PIN matches', async () => {
  const kept = await hashSecret('012345', randomBytes);
  expect(kept).not.toContain('012345');
  expect(await isSecret('012345', kept)).toBe(true);
  for (const wrong of ['012346', '', '12345', '0123456']) expect(await isSecret(wrong, kept)).toBe(false);
  for (const garbage of ['garbage', '', 'scrypt$14$$', 'scrypt$x$YQ$YQ']) expect(await isSecret('012345', garbage)).toBe(false);
  expect(await hashSecret('012345', randomBytes)).not.toBe(kept);
});

it('a PIN that was stored without its cost still matches, and so does one of another cost', async () => {
  const kept = await hashSecret('012345', randomBytes);
  expect(await isSecret('012345', kept.replace('scrypt$14$', 'scrypt$'))).toBe(true);
  const cheap = await hashSecret('012345', randomBytes, 4);
  expect(cheap).toMatch(/^scrypt\$4\$/);
  expect(await isSecret('012345', cheap)).toBe(true);
  expect(await isSecret('012345', cheap.replace('scrypt$4$', 'scrypt$5$'))).toBe(false);
});

it('PINs have six digits from the whole range', () => {
  expect(newPin(() => Buffer.from([0, 0, 0, 7]))).toBe('000007');
  const tooHigh = [Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from([0, 15, 66, 63])];
  expect(newPin(() => tooHigh.shift() ?? Buffer.alloc(4))).toBe('999999');
});

it('ids are UUIDs of version 7 and sort by time', () => {
  const ids = [1, 1_700_000_000_000, 1_700_000_000_001, 2_000_000_000_000].map((nowMs) => newId(nowMs, randomBytes));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
});

it('ids of one millisecond increase in the order in which they were made, and never repeat', () => {
  const ids = Array.from({ length: 2000 }, () => newId(1_700_000_000_000, randomBytes));
  expect([...ids].sort()).toEqual(ids);
  const crowded = Array.from({ length: 6000 }, () => newId(1_700_000_000_001, randomBytes));
  expect(new Set(crowded).size).toBe(6000);
});

it('slow hashes of one owner, however many, delay another owner by a few at most', async () => {
  const finished: string[] = [];
  const hash = (owner: string) => hashSecret('123456', randomBytes, 4, owner).then(() => finished.push(owner));
  const mine = Array.from({ length: 400 }, () => hash('one'));
  await Promise.all([hash('two'), ...mine]);
  expect(finished).toHaveLength(401);
  // Two are hashed at once, so one may finish a little before the one that started earlier.
  expect(finished.indexOf('two')).toBeLessThan(6);
});
