/** An agent that ends the robot of its run, at each start in the next of these ways; the file `turn` in `$WORD` counts them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Room } from '@livekit/rtc-node';
import { Client, connect } from '../../../src/client/index.ts';
import { simulatorIdentity } from '../../../src/protocol/wire/identity.ts';

const { SIMPLESIM_ROBOT_ID: robotId = '', WORD: dir = '' } = process.env;
const turnFile = join(dir, 'turn');
const turn = existsSync(turnFile) ? Number(readFileSync(turnFile, 'utf8')) : 0;
writeFileSync(turnFile, String(turn + 1));

const client = new Client();
const session = await connect(client, robotId, { workerNames: [] });
await session.waitUntilReady();
await session.scene();
switch (turn) {
  case 0:
    await client.robots.deleteSession(robotId);
    break;
  case 1:
    await client.robots.delete(robotId);
    break;
  case 2: {
    const place = await client.robots.createParticipantToken(robotId, { participantIdentity: simulatorIdentity(robotId) });
    const room = new Room();
    await room.connect(place.livekit_url, place.participant_token, { autoSubscribe: false, dynacast: false });
    break;
  }
  case 3:
    await session.disconnect({ keepSession: false });
    break;
  case 4:
    process.exit(127);
    break;
  default: {
    const { entities } = await session.scene();
    const cube = Object.values(entities).find(({ kind }) => kind === 'cube');
    const target = { kind: 'entity', entity_id: cube?.entity_id ?? '' } as const;
    await session.invoke('go_to', { target });
    await session.invoke('pick_entity', { target });
    await session.disconnect({ keepSession: false });
  }
}
process.exit(0);
