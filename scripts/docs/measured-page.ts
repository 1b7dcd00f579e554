import type { BenchResults } from './bench-catalogue.ts';
import type { FramesResult } from './frames-catalogue.ts';
import { markdownTable } from './markdown.ts';
import type { NetworkResults } from './network-catalogue.ts';
import { performancePart } from './performance-page.ts';
import { PROMISES } from './promises.ts';
import type { ProofResults } from './proof-catalogue.ts';
import { proofPart } from './proof-page.ts';

/** The page of guarantees and measurements, from the promises and the published results. */
export function measuredPage(
  proof: ProofResults,
  performance: BenchResults,
  frames: FramesResult,
  lines: NetworkResults | null,
): string {
  const promises = PROMISES.map(({ id, title, promise }) => [id, `**${title}**`, promise]);
  return `# Guarantees and measurements

Made by \`npm run lab\` and \`npm run docs\` from the JSON files beside this page; do not edit by hand.

This page lists what you can rely on, how it is tested and at which scale, and how fast the product is. Every number has a command that
measures it again ([lab.md](lab.md)).

## What is guaranteed?

\`runtime.capabilities\` returns the ids of the promises that the robot keeps.

${markdownTable(['id', 'promise', 'in full'], promises)}

## How is it tested?

- **An independent oracle** (\`tests/oracle\`) reads the physics world and shares no code with skills, runtime or planner. At every judged
  step it checks that all numbers are finite. At the end of every action it compares the reply with the bodies: the right cube is in the
  hands, a pose is within its tolerance, nothing else was moved, nothing moves afterwards, and \`world_changed\` is correct.
- **Seeded suites** (\`tests/promises\`) run many calls in new worlds. The same seed gives the same outcome, and a failure names its seed.
  \`npm test\` runs every suite at a small size; \`npm run lab -- storm\` runs all of them at full size.
- **Feasible requests**: some requests are well inside every limit (\`tests/oracle/feasible.ts\`). At least 99 % of them must be \`done\`. All
  other requests may fail, and the reply must be correct.
- **Hostile numbers**: one suite puts signed zeros, denormals, limits and their neighbours, \`1e999\` and \`NaN\` into every number of every
  call. The robot answers each call once and drives as before.

${proofPart(proof)}
${performancePart(performance, frames, lines)}`;
}
