/** docs/reference/contracts.md: every difference between the simulator's contract and the physical robot's. */

import { TELEMETRY_FRESH_MS } from '../../src/protocol/wire/limits.ts';
import { BODY_SKILLS } from '../../src/protocol/wire/rcw-skills.ts';
import { CONTRACT_DIFFERENCES } from './contract-differences.ts';
import { code, markdownTable } from './markdown.ts';

const bodySkills = BODY_SKILLS.map(code).join(', ');

/** Returns the text of the page. */
export function contractsPage(): string {
  const groups = CONTRACT_DIFFERENCES.flatMap(({ title, rows }) => [
    `## ${title}`,
    markdownTable(
      ['what', 'simulator', 'physical robot'],
      rows.map(({ title: what, simulator, worker }) => [what, simulator, worker]),
    ),
  ]);
  return `${[
    '# Simulator and physical robot: every difference',
    'Made by `npm run docs` from `scripts/docs/contract-differences.ts`; do not edit by hand.',
    "This page lists every difference between the simulator's contract and the physical robot's (`profile=worker`). [Physical robots](../physical-robot.md) explains how to write a program that is safe on both.",
    'Methods, state, errors and their details, repeats by `action_id`, and clamped velocities are the same on both. `tests/contract` checks each row and fails if it finds a further difference.',
    ...groups,
    '## Order of checks on a physical robot',
    `A call of ${bodySkills} passes three checks in this order. The first check that fails gives the error.`,
    [
      '| check | error |',
      '|---|---|',
      '| the call is signed | `PERMISSION_DENIED` |',
      `| the body accepts commands: no fault, no emergency stop, no freeze within the last 0.5 s, a report within the last ${TELEMETRY_FRESH_MS} ms | \`INTERNAL\` after a fault, else \`NOT_READY\` |`,
      '| the input matches the schema | `INVALID_INPUT` |',
    ].join('\n'),
    'An unsigned call with a wrong number is therefore `PERMISSION_DENIED`. Sign the call first, then correct its input.',
  ].join('\n\n')}\n`;
}
