/**
 * A walk through everything a robot does here: finds its skills, carries a cube to the pad of its colour, reads what it knows, takes
 * pictures, stops half way, leaves. Run it beside `npm start`: `npx tsx examples/tour.ts`
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Action,
  type ActionResult,
  Client,
  connect,
  type PlatformSession,
  RcwRuntimeError,
  type ResultOf,
  type SceneLayout,
} from 'platform-robot-sdk';

interface LocalPlatform {
  rcs_url: string;
  api_key: string;
  robot_id: string;
  room_key_url: string;
}

const DATA_DIR = resolve(process.env.SIMPLESIM_DATA_DIR ?? join(import.meta.dirname, '../.simplesim'));
const PICTURES_DIR = join(DATA_DIR, 'tour');
/** The arms serve 1.20 m from the base; a little less is surely within. */
const REACH_M = 1.15;

async function main(): Promise<void> {
  const local = readLocalPlatform();
  const client = new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key });
  const robot = await client.robots.get(local.robot_id);
  console.log(`The robot is called ${robot.name}, a ${robot.type} ${robot.model}.`);

  const session = await connect(client, robot.id, { workerNames: [] });
  try {
    await waitForRobot(session, local);
    await walkThrough(session);
  } finally {
    // The session stays, so the viewer stays open and the tour can be taken again.
    await session.disconnect({ keepSession: true });
    console.log('The tour has left the room.');
  }
}

async function waitForRobot(session: PlatformSession, local: LocalPlatform): Promise<void> {
  if (session.runtimeIdentity === null) {
    console.log(`Nobody is the robot yet. Open this link in Chrome, and the tour goes on:\n${local.room_key_url}`);
  }
  await session.waitUntilReady();
  console.log(`The robot is ready: ${session.runtimeIdentity}.`);
}

async function walkThrough(session: PlatformSession): Promise<void> {
  const skills = await session.discoverSkills();
  console.log(`It has ${skills.length} skills: ${skills.map(({ name }) => name).join(', ')}.`);

  const { pads } = await session.layout();
  const source = pads.find(({ role }) => role === 'source');
  if (!source) throw new Error('The scene has no source pad. Select the scene "warehouse".');
  const { held_entity_ids } = (await session.state.get('robot_status')).robot;
  if (held_entity_ids.length > 0)
    throw new Error(
      `The robot still holds ${held_entity_ids.join(', ')}. Run place_entity near a pad, or reset, in the robot's page under Skills. Then start the tour again.`,
    );

  const cube = await nearestCube(session, source.pad_id);
  if (await isFar(session, cube.position)) {
    const there = done(await session.invoke('go_to', { target: { kind: 'entity', entity_id: cube.id } }), 'walk to the cube');
    console.log(`It walked ${there.path_m.toFixed(1)} m to ${cube.id} on ${source.pad_id}.`);
  }
  const picked = done(await session.invoke('pick_entity', { target: { kind: 'entity', entity_id: cube.id } }), 'pick the cube');
  console.log(`It holds ${picked.held}, which is ${cube.colour}.`);

  const pad = pads.find(({ color }) => color === cube.colour);
  if (!pad) throw new Error(`No pad is for ${cube.colour} cubes.`);
  const target = { kind: 'entity', entity_id: pad.pad_id } as const;
  const walked = done(await session.invoke('go_to', { target }), `carry it to ${pad.pad_id}`);
  console.log(`It carried it ${walked.path_m.toFixed(1)} m to ${pad.pad_id}, the pad for ${cube.colour}.`);
  const placed = done(await session.invoke('place_entity', { target }), 'place the cube');
  console.log(`It put ${placed.placed} down on ${placed.placed_on} at ${inMetres(placed.pose.position)}.`);

  const state = await session.state.get('robot_status');
  const scene = await session.scene({ entity_ids: [cube.id] });
  const { correct_count, wrong_count } = state.robot.extra.sort_benchmark;
  console.log(`The robot is at ${inMetres(state.robot.pose.position)} and ${state.robot.status}.`);
  const delivered = scene.entities[cube.id]?.state;
  const fate = delivered?.collected ? 'has been collected from' : 'rests on';
  console.log(`The scene says that ${cube.id} ${fate} ${delivered?.parent_pad_id ?? 'nothing'}.`);
  console.log(`Sorted so far: ${correct_count} right, ${wrong_count} wrong.`);

  for (const camera of ['pov', 'topdown'] as const) await savePicture(session, camera);
  await stopHalfWay(session, pads);
}

/** The cube on the source pad that is nearest to the robot, in the floor plane. */
async function nearestCube(session: PlatformSession, sourcePadId: string) {
  const { robot } = await session.state.get('robot_status');
  const { entities } = await session.scene({ kinds: ['cube'] });
  const onBelt = Object.values(entities)
    .filter(({ attached_to, state }) => attached_to === null && state.parent_pad_id === sourcePadId)
    .sort((a, b) => planar(a.pose.position, robot.pose.position) - planar(b.pose.position, robot.pose.position));
  const nearest = onBelt[0];
  if (!nearest) throw new Error(`No cube lies on ${sourcePadId}. Invoke reset to restart the scene.`);
  return { id: nearest.entity_id, colour: nearest.state.color ?? 'of no colour', position: nearest.pose.position };
}

/** Whether a point is beyond the reach of the arms, metres in the floor plane. */
async function isFar(session: PlatformSession, positionWorld: readonly number[]): Promise<boolean> {
  const { robot } = await session.state.get('robot_status');
  return planar(positionWorld, robot.pose.position) > REACH_M;
}

async function savePicture(session: PlatformSession, camera: 'pov' | 'topdown'): Promise<void> {
  const { jpeg, frame, verified } = await session.getVision(camera, { width: 1280, height: 720, quality: 0.8 });
  mkdirSync(PICTURES_DIR, { recursive: true });
  const file = join(PICTURES_DIR, `${camera}.jpg`);
  writeFileSync(file, jpeg);
  const size = `${frame.width} × ${frame.height}, ${Math.round(jpeg.length / 1024)} kB`;
  console.log(`A picture from ${camera} at step ${frame.step}, ${size}, checked by ${verified}: ${file}`);
}

/** Sets out for the farthest pad and thinks better of it. */
async function stopHalfWay(session: PlatformSession, pads: SceneLayout['pads']): Promise<void> {
  const from = (await session.state.get('robot_status')).robot.pose.position;
  const padId = [...pads].sort((a, b) => planar(b.position, from) - planar(a.position, from))[0]?.pad_id ?? 'pad_A';
  const walk = session.start('go_to', { target: { kind: 'entity', entity_id: padId } });
  const path = await quarterOfTheWay(walk);
  await walk.cancel();
  const ended = await walk.result;
  if (ended.status === 'done') throw new Error('The walk had ended before it was cancelled. Start again from another place.');
  console.log(`On the way to ${padId}${path} the walk was cancelled: ${ended.error.code}. ${ended.error.message}`);
  const { robot } = await session.state.get('robot_status');
  console.log(`The robot stands at ${inMetres(robot.pose.position)}.`);
}

/** Settles when a quarter of the way that the action reports is behind it, which leaves time to cancel the rest. */
async function quarterOfTheWay(walk: Action<ResultOf<'go_to'>>): Promise<string> {
  for await (const event of walk) {
    if (event.phase !== 'running' || !event.progress) continue;
    const { current, total, unit } = event.progress;
    if (current >= total / 4) return ` (${current.toFixed(1)} of ${total.toFixed(1)} ${unit})`;
  }
  const ended = await walk.result;
  throw new Error(
    `The walk ended at once (${ended.status}): ${ended.status === 'failed' ? ended.error.message : 'it was there'}`,
  );
}

function done<T>(ended: ActionResult<T>, what: string): T {
  if (ended.status === 'done') return ended.result;
  throw new RcwRuntimeError(ended.error.code, `The robot could not ${what}. ${ended.error.message}`);
}

function readLocalPlatform(): LocalPlatform {
  const file = join(DATA_DIR, 'local.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalPlatform;
  } catch {
    throw new Error(`${file} cannot be read. Start the platform first: npm start`);
  }
}

const planar = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0));
const inMetres = ([x = 0, y = 0]: readonly number[]): string => `(${x.toFixed(2)}, ${y.toFixed(2)}) m`;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? `The tour ended early: ${error.message}` : error);
  process.exitCode = 1;
});
