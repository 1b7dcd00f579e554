import { expect, test } from 'vitest';
import { createLossMeter } from '../../../src/viewer/engine/visitor/loss-meter.ts';

test('overtaken packets and the parts of a key state count as received, and only missing packets count as lost', () => {
  const meter = createLossMeter();
  // Every other packet is overtaken and shows nothing; one in ten is lost.
  for (let second = 0; second < 8; second += 1)
    for (let nth = 0; nth < 9; nth += 1) {
      const packets = second * 20 + nth * 2 + 1;
      meter.note(
        { comePackets: packets - Math.floor(packets / 10), lostPackets: Math.floor(packets / 10) },
        second * 1_000 + nth * 100,
      );
    }
  expect(meter.share(8_000)).toBeCloseTo(0.1, 2);
});

test('a new stream starts with no losses', () => {
  const meter = createLossMeter();
  meter.note({ comePackets: 10, lostPackets: 0 }, 0);
  meter.note({ comePackets: 10, lostPackets: 40 }, 1_000);
  expect(meter.share(1_000)).toBeGreaterThan(0.9);
  meter.note({ comePackets: 1, lostPackets: 0 }, 2_000);
  expect(meter.share(2_000)).toBe(0);
});
