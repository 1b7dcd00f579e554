import type { BenchScenarioName } from '../../scripts/docs/bench-catalogue.ts';
import type { Scenario } from '../scenario.ts';
import { capture } from './capture.ts';
import { headless } from './headless.ts';
import { hidden } from './hidden.ts';
import { invoke } from './invoke.ts';
import { memory } from './memory.ts';
import { open } from './open.ts';
import { planner } from './planner.ts';
import { service } from './service.ts';
import { slow } from './slow.ts';
import { step } from './step.ts';
import { ticks } from './ticks.ts';
import { watchers } from './watchers.ts';

export const SCENARIOS: { [Name in BenchScenarioName]: Scenario<Name> } = {
  step,
  headless,
  ticks,
  planner,
  service,
  invoke,
  capture,
  hidden,
  open,
  slow,
  watchers,
  memory,
};
