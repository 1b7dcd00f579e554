/**
 * The smallest agent for `npx simplesim eval`: it takes the nearest cube, whatever the task says.
 *
 *   npx simplesim eval tasks/fetch/hall-take-one.json --agent "npx tsx examples/agents/take-one.ts" --out results
 */
import { Client, connect } from 'platform-robot-sdk';

const { SIMPLESIM_ROBOT_ID: robotId = '', SIMPLESIM_TASK: task = '' } = process.env;
console.log(`The task: ${task}`);

// The address and the API key stand in the environment too.
const session = await connect(new Client(), robotId, { workerNames: [] });
await session.waitUntilReady();
const { entities } = await session.scene();
const cubes = Object.values(entities).filter(({ kind, visible }) => kind === 'cube' && visible);
for (const { entity_id: id } of cubes) {
  const target = { kind: 'entity', entity_id: id } as const;
  const walked = await session.invoke('go_to', { target });
  const picked = walked.status === 'done' ? await session.invoke('pick_entity', { target }) : walked;
  console.log(`${id}: ${picked.status} ${picked.error?.message ?? ''}`);
  if (picked.status === 'done') break;
}
await session.disconnect({ keepSession: true });
