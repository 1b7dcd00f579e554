import { expect, test } from 'vitest';
import { CROWDED } from '../../../src/protocol/texts/signed-texts.ts';
import { createOperatorHands, type OperatorDeps } from '../../../src/viewer/engine/visitor/operator-hands.ts';
import { createOperatorSigner } from '../../../src/viewer/engine/visitor/operator-signer.ts';
import { doneReply, guardReply } from '../../client/helpers/fake-room.ts';

const FREE_FROM_MS = 10_000;

test('P7: an operator’s stop is repeated while the robot has no capacity for it', async () => {
  let nowMs = 0;
  const clock = {
    nowMs: () => nowMs,
    epochMs: () => nowMs,
    async sleep(ms: number) {
      nowMs += Math.max(1, ms);
    },
  };
  const grant = { grant: 'g', robot_id: 'r', session: 's' };
  const reported: (string | null)[] = [];
  const deps: OperatorDeps = {
    ...clock,
    signer: createOperatorSigner({ ...clock, fetchGrant: async () => grant }),
    room: () => ({
      async call() {
        nowMs += 5;
        const isFree = nowMs >= FREE_FROM_MS;
        return JSON.stringify(isFree ? doneReply('id') : guardReply('NOT_READY', 'Full.', { reason: CROWDED }));
      },
      sendLossy: () => undefined,
    }),
    runtime: () => 'rcw-r',
    self: () => 'me',
    takesPosePackets: () => false,
    changeActions: () => undefined,
    onState: () => undefined,
    onScene: () => undefined,
    onStop: ({ problem }) => reported.push(problem),
    pressOverHttp: null,
    newId: () => 'id',
  };
  createOperatorHands(deps).stop();
  await expect.poll(() => reported.at(-1), { timeout: 20_000 }).toBeNull();
  expect(nowMs).toBeGreaterThanOrEqual(FREE_FROM_MS);
});
