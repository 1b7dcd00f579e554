/** Hand-overs of one robot between pages, as other people's end-to-end tests make them; `npm run lab -- proof handovers` makes many. */
import { expect, test } from './support/fixtures.ts';
import { createHandovers, HANDOVERS, type Handover } from './support/handovers.ts';

/** A page that waits takes the robot from one whose reload takes too long, as it does on a busy machine. */
const AGAINST_TIME: readonly Handover[] = ['a page reloads beside waiting pages'];

for (const kind of HANDOVERS)
  test(`one page is the robot in the end: ${kind}`, { tag: AGAINST_TIME.includes(kind) ? '@alone' : [] }, async ({
    platform,
  }) => {
    const { failures } = await createHandovers(platform, platform.dataDir)(kind);
    expect(failures).toEqual([]);
  });
