import type { SceneFile } from '../../protocol/files/scene-file.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';

const NEAR_M = 1e-3;
/** A cube that comes in needs this much belt beyond the last slot. */
const INFEED_M = 0.3;

type FixtureOfFile = NonNullable<SceneFile['fixtures']>[number];

/** Returns what is wrong with the fixtures of a scene file, with the path of each. */
export const fixtureProblems = (file: SceneFile): SceneProblem[] => {
  const { fixtures = [] } = file;
  return fixtures.flatMap((fixture, index) => conveyorProblems(file, fixture, `fixtures[${index}]`, fixtures.slice(0, index)));
};

function conveyorProblems(
  { obstacles = [], pads = [] }: SceneFile,
  fixture: FixtureOfFile,
  at: string,
  before: readonly FixtureOfFile[],
): SceneProblem[] {
  const problems: SceneProblem[] = [];
  const report = (name: string, reason: string): void => {
    problems.push({ path: `${at}.${name}`, reason });
  };
  const pad = pads.find(({ id }) => id === fixture.pad_id);
  const belt = obstacles.find(({ id, kind }) => id === fixture.belt_id && kind === 'belt');
  const hood = obstacles.find(({ id, kind }) => id === fixture.hood_id && kind === 'infeed');
  if (!pad) report('pad_id', 'must name a pad of this scene.');
  if (!belt) report('belt_id', 'must name an obstacle of kind belt.');
  if (!hood) report('hood_id', 'must name an obstacle of kind infeed.');
  if (before.some(({ belt_id }) => belt_id === fixture.belt_id)) report('belt_id', 'must name a belt that no other fixture has.');
  if (!pad || !belt || !hood) return problems;
  if (belt.pad_id !== pad.id) report('pad_id', `must name the pad that ${belt.id} carries, ${belt.pad_id}.`);
  if (pad.role !== 'source') report('pad_id', 'must name a pad whose role is source.');
  for (const box of [belt, hood])
    if ((box.yaw_deg ?? 0) !== 0)
      report(box === belt ? 'belt_id' : 'hood_id', `must name a box that is not turned; ${box.id} is.`);
  if (hood.belt_id !== belt.id) report('hood_id', `must name the hood of ${belt.id}.`);
  const wanted: [keyof FixtureOfFile, number][] = [
    ['centre_x', belt.position[0]],
    ['half_width_m', belt.size[0] / 2],
    ['min_y', belt.position[1] - belt.size[1] / 2],
    ['max_y', belt.position[1] + belt.size[1] / 2],
    ['surface_z', belt.position[2] + belt.size[2] / 2],
  ];
  for (const [name, value] of wanted)
    if (Math.abs(Number(fixture[name]) - value) > NEAR_M)
      report(name, `must be ${Number(value.toFixed(4))}, as ${belt.id} is; it is ${fixture[name]}.`);
  const { slots = [], layers = 1 } = pad;
  const last = slots.at(-1);
  if (!last) return [...problems, { path: at, reason: `needs slots on ${pad.id}, the one at the near end first.` }];
  if (layers !== 1) report('pad_id', 'must name a pad with one layer.');
  if (
    slots.some(
      ([x, y], place) => Math.abs(x - fixture.centre_x) > NEAR_M || y <= (slots[place - 1]?.[1] ?? Number.NEGATIVE_INFINITY),
    )
  )
    report(
      'pad_id',
      'must name a pad whose slots lie on the middle line of the belt, each farther along +y than the one before.',
    );
  if (fixture.start_colors.length > slots.length)
    report('start_colors', `must be at most ${slots.length}, one for each slot; they are ${fixture.start_colors.length}.`);
  if (fixture.infeed_y < last[1] + INFEED_M)
    report(
      'infeed_y',
      `must be at least ${INFEED_M} m beyond the last slot, ${Number((last[1] + INFEED_M).toFixed(3))}; it is ${fixture.infeed_y}.`,
    );
  return problems;
}
