/** Hand-overs of one robot between pages, as other people's end-to-end tests make them; `npm run proof -- handovers` makes many. */
import { createHandovers, HANDOVERS } from '../proof/handovers.ts';
import { expect, test } from './support/fixtures.ts';

for (const kind of HANDOVERS)
  test(`one page is the robot in the end: ${kind}`, { tag: '@alone' }, async ({ platform }) => {
    const { failures } = await createHandovers(platform, platform.dataDir)(kind);
    expect(failures).toEqual([]);
  });
