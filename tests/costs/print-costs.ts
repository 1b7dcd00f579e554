/** Prints the most expensive tests of the last run, and the sum of all. */
import { readCosts } from './costs.ts';

const SHOWN = 30;

const costs = readCosts();
const seconds = (value: number): string => value.toFixed(1).padStart(7);
const sum = (of: 'processorS' | 'wallS'): number => costs.reduce((total, cost) => total + cost[of], 0);
const lines = [
  'processor s  wall s  test',
  ...costs.slice(0, SHOWN).map(({ name, processorS, wallS }) => `    ${seconds(processorS)} ${seconds(wallS)}  ${name}`),
  `    ${seconds(sum('processorS'))} ${seconds(sum('wallS'))}  all ${costs.length}`,
];
process.stdout.write(`${lines.join('\n')}\n`);
