/**
 * The participants that a client waits for, counted on a real SFU as existing clients count them:
 * with the tab, the worker, and agents of other names.
 */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { describe, expect, it } from 'vitest';
import { leaveRoom } from '../client/helpers/leave-room.ts';
import { layGround } from '../ground/ground.ts';

interface Session {
  livekit_url: string;
  participant_token: string;
  room_metadata: { required_participants: Record<string, { min_count: number }> };
}

const ground = layGround();

/** Uses the wire protocol directly, without our library. */
async function ask<T>(method: string, path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${ground.platform.apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${ground.platform.rcsUrl}/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const openSession = (robotId: string, body: object): Promise<Session> => ask('POST', `/robots/${robotId}/session`, body);

async function enter({
  livekit_url: url,
  participant_token: token,
}: Pick<Session, 'livekit_url' | 'participant_token'>): Promise<Room> {
  const room = new Room();
  ground.later(() => leaveRoom(room));
  await room.connect(url, token, { autoSubscribe: false, dynacast: false });
  return room;
}

/** Returns how many participants count for each key, as the manual defines it. */
function counted(room: Room, keys: string[]): Record<string, number> {
  const others = [...room.remoteParticipants.values()];
  const counts = keys.map((key): [string, number] => [
    key,
    others.filter(
      ({ identity, attributes }) => identity === key || identity.startsWith(`${key}-`) || attributes['lk.agent.name'] === key,
    ).length,
  ]);
  return Object.fromEntries(counts);
}

async function untilComplete(room: Room, session: Session): Promise<Record<string, number>> {
  const required = session.room_metadata.required_participants;
  const lacks = () => {
    const counts = counted(room, Object.keys(required));
    return Object.entries(required).some(([key, { min_count: count }]) => (counts[key] ?? 0) < count);
  };
  while (lacks()) {
    await new Promise<void>((resolve) => {
      room.once(RoomEvent.ParticipantConnected, () => resolve());
      room.once(RoomEvent.ParticipantAttributesChanged, () => resolve());
    });
  }
  return counted(room, Object.keys(required));
}

const start = async (name: string): Promise<void> => {
  const worker = ground.runWorker(['--name', name], { RCW_RSL_REQUIRED: 'false' });
  await worker.logged('registered');
};

describe('the required participants', () => {
  it('the required participant is the tab if no worker was sent', async () => {
    const robotId = await ground.newRobot();
    const session = await openSession(robotId, { worker_names: [] });
    const room = await enter(session);
    const key = `simplesim:${robotId}`;
    expect(counted(room, [key])).toEqual({ [key]: 0 });
    const place = await ask<Session>('POST', `/robots/${robotId}/session/participant-token`, { participant_identity: key });
    const complete = untilComplete(room, session);
    await enter(place);
    expect(await complete).toEqual({ [key]: 1 });
  });

  it.each(['rcw', 'left_arm'])('the required participant is the worker that was sent as %s, and not a tab', async (name) => {
    await start(name);
    const robotId = await ground.newRobot();
    const session = await openSession(robotId, { worker_names: [name] });
    const room = await enter(session);
    expect(await untilComplete(room, session)).toEqual({ [name]: 1 });
    expect([...room.remoteParticipants.values()].map(({ identity }) => identity)).toEqual([`rcw-${robotId}`]);
  });

  it('the required participant is also a worker that came too late for its job', async () => {
    const robotId = await ground.newRobot();
    const session = await openSession(robotId, { worker_names: ['late'] });
    const room = await enter(session);
    const complete = untilComplete(room, session);
    await start('late');
    expect(await complete).toEqual({ late: 1 });
  });
});
