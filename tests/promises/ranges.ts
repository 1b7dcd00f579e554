import * as limits from '../../src/protocol/wire/limits.ts';
import { seeded } from '../oracle/chance.ts';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';
import { advertisedReachM, CHOICES, PHYSICAL, pickAllRound, placeAllRound } from './ranges-physical.ts';
import type { Limit } from './ranges-schema.ts';
import { allLimits, sweep } from './ranges-sweep.ts';
import type { PromiseSuite } from './suite.ts';

/** Lengths, constants and required fields are checked only on input: they have no physical effect. */
const OF_THE_DOOR = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'const', 'required', 'additionalProperties']);
const NUMERIC = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'clamp']);
const PICKS_ALL_ROUND = 4;

const fieldOf = ({ key, keyword }: Limit): string => key.slice(0, -keyword.length - 1);

export const rangesSuite: PromiseSuite = {
  name: 'ranges',
  promises: ['P11'],
  title: 'every advertised limit is accepted and reached; one step past it is rejected by name, or clamped with a note',
  seeds: { smoke: 1, full: 30 },
  async run(seed) {
    const random = seeded(seed);
    const t = await createTestRuntime();
    const swept = sweep(t);
    const failures = [...swept.failures, ...reportedTwice(t)];
    let cases = swept.cases;

    const used = new Set<string>();
    for (const limit of allLimits(t)) {
      if (OF_THE_DOOR.has(limit.keyword)) continue;
      const field = fieldOf(limit);
      used.add(field);
      const [physical, choices] = [PHYSICAL[field], CHOICES[field]];
      cases += 1;
      if (NUMERIC.has(limit.keyword) && physical) {
        for (const problem of await physical(t, Number(limit.value), random))
          failures.push(`${limit.key} (${limit.value}): ${problem}`);
      } else if (limit.keyword === 'enum' && choices) {
        for (const problem of choices(t, limit.value as string[])) failures.push(`${limit.key}: ${problem}`);
      } else failures.push(`${limit.key} is advertised and has no case: add one to ranges-physical.ts`);
    }
    for (const field of [...Object.keys(PHYSICAL), ...Object.keys(CHOICES)]) {
      if (!used.has(field))
        failures.push(`${field} has a case and is not advertised any more: take it out of ranges-physical.ts`);
    }

    const picked = pickAllRound(t, advertisedReachM(t, 'pick_entity'), random, PICKS_ALL_ROUND);
    const placed = placeAllRound(t, advertisedReachM(t, 'place_entity'), random);
    t.runtime.dispose();
    return { cases: cases + picked.cases + placed.cases, failures: [...failures, ...picked.failures, ...placed.failures] };
  },
};

/** Checks that `capabilities` reports the limits of the schemas. */
function reportedTwice(t: TestRuntime): string[] {
  const byKey = new Map(allLimits(t).map((limit) => [limit.key, limit.value]));
  const { limits: reported, captures, simulation } = t.read('runtime.capabilities');
  const pairs: [string, unknown][] = [
    ['runtime.tools_call.options.deadline_s.maximum', reported.deadline_s],
    ['runtime.tools_call.options.action_id.maxLength', reported.action_id_characters],
    ['set_velocity.vx.clamp', reported.linear_mps],
    ['set_velocity.vy.clamp', reported.linear_mps],
    ['set_velocity.wz.clamp', reported.angular_rps],
    ['set_sim_speed.speed.minimum', simulation.speed.min],
    ['set_sim_speed.speed.maximum', simulation.speed.max],
    ['runtime.cameras_capture.options.width.minimum', captures.width_px.min],
    ['runtime.cameras_capture.options.width.maximum', captures.width_px.max],
    ['runtime.cameras_capture.options.height.minimum', captures.height_px.min],
    ['runtime.cameras_capture.options.height.maximum', captures.height_px.max],
    ['runtime.cameras_capture.options.quality.exclusiveMinimum', captures.quality.above],
    ['runtime.cameras_capture.options.quality.maximum', captures.quality.max],
  ];
  const problems = pairs.flatMap(([key, value]) =>
    byKey.get(key) === value ? [] : [`capabilities tell ${value} where the schema has ${key} ${byKey.get(key)}`],
  );
  for (const skill of ['pick_entity', 'place_entity']) {
    if (advertisedReachM(t, skill) !== reported.reach_m)
      problems.push(`${skill} describes another reach than capabilities, ${reported.reach_m}`);
  }
  const { yaw_range: yaw, pitch_range: pitch } = t.read('runtime.state').robot.extra.head;
  for (const [axis, range] of Object.entries({ yaw, pitch })) {
    const schema = [byKey.get(`set_head.${axis}.minimum`), byKey.get(`set_head.${axis}.maximum`)];
    if (JSON.stringify(schema) !== JSON.stringify(range))
      problems.push(`the state tells ${axis} ${range} where the schema has ${schema}`);
  }
  if (limits.REACH_M !== reported.reach_m) problems.push('the reach differs from the protocol');
  return problems;
}
