/**
 * A small agent for `npm run simplesim -- eval`: it takes a cube of the colour that the task names.
 *
 *   npm run simplesim -- eval tasks/fetch/hall-hold-blue.json --agent "npx tsx examples/agents/take-by-colour.ts" --out results
 */
import { Client, connect } from 'platform-robot-sdk';

const { SIMPLESIM_ROBOT_ID: robotId = '', SIMPLESIM_TASK: task = '' } = process.env;
console.log(`The task: ${task}`);

// The address and the API key stand in the environment too.
const session = await connect(new Client(), robotId, { workerNames: [] });
await session.waitUntilReady();
const { entities } = await session.scene();
const cube = Object.values(entities).find(({ kind, state }) => kind === 'cube' && state.color && task.includes(state.color));
if (cube) {
  const target = { kind: 'entity', entity_id: cube.entity_id } as const;
  const walked = await session.invoke('go_to', { target });
  const picked = walked.status === 'done' ? await session.invoke('pick_entity', { target }) : walked;
  console.log(`${cube.entity_id}: ${picked.status} ${picked.error?.message ?? ''}`);
} else console.log('The task names no colour of a cube that is there.');
await session.disconnect({ keepSession: true });
