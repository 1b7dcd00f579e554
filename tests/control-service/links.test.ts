import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { links } from '../../src/control-service/db/schema.ts';
import { ClosedLinks } from '../../src/control-service/operations/closed-links.ts';
import { pressByLink } from '../../src/control-service/operations/press-by-link.ts';
import { placeToWatch } from '../../src/control-service/operations/watch.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import type { Access } from '../../src/protocol/service/access.ts';
import { type ClosedLink, ENDED_LINKS_NAMED_MAX, OPERATOR_LINKS_MAX } from '../../src/protocol/service/closed-links.ts';
import { createControlKeyPair } from '../../src/protocol/signed/signed-control.ts';
import { DATABASES } from './helpers/databases.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

describe.each(DATABASES)('links on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  async function openRobot(): Promise<{ id: string; room: string }> {
    const { id } = await faceClient('public', () => service).createRobot();
    await service.send('POST', `/v1/robots/${id}/session`);
    return { id, room: [...service.sfu.rooms.keys()].find((name) => name.includes(id)) ?? '' };
  }
  async function makeLink(robotId: string, access: Access = 'drive', ttlS = 60, identity = 'operator-1') {
    const body = { participant_identity: identity, participant_name: 'Ada', ttl_seconds: ttlS, access };
    const answer = await service.send('POST', `/v1/robots/${robotId}/session/participant-token`, { body });
    expect(answer.status).toBe(200);
    const { link_id: id, participant_token: token } = answer.body.result as { link_id: string; participant_token: string };
    return { id, token };
  }
  const place = async (token: string, deps = service.deps) => {
    const { publicKey } = await createControlKeyPair();
    return placeToWatch(deps, SFU_KEY, { token, public_key: publicKey });
  };
  const listed = async (robotId: string) =>
    (await service.send('GET', `/v1/robots/${robotId}/session/links`)).body.result as { id: string }[];
  const revoke = (robotId: string, linkId: string) => service.send('DELETE', `/v1/robots/${robotId}/session/links/${linkId}`);
  const metadataOf = (room: string): { closed_links?: ClosedLink[] } => JSON.parse(service.sfu.rooms.get(room) ?? '{}');
  /** Joins the page of a link: the SFU gives it the attributes of its token. */
  async function join(token: string): Promise<string> {
    const { sub = '', attributes } = decodeJwt(token);
    service.sfu.identities.push(sub);
    service.sfu.attributes.set(sub, attributes as Record<string, string>);
    return sub;
  }

  describe.each(FACES)('on the $face face', ({ face }) => {
    const client = faceClient(face, () => service);

    it('lists the valid links of a session with what they allow and until when, and revokes one', async () => {
      const { id } = await openRobot();
      const drive = await makeLink(id, 'drive', 60);
      const watch = await makeLink(id, 'watch', 3_600, 'watcher-1');
      const answer = await client.send('GET', `/v1/robots/${id}/session/links`);
      const { links: found, next_id: nextId, total } = client.read('links', answer);
      expect([nextId, total]).toEqual([null, 2]);
      expect(found[0]).toEqual({
        id: drive.id,
        access: 'drive',
        participant_identity: 'operator-1',
        participant_name: 'Ada',
        created_at: new Date(START_MS).toISOString(),
        expires_at: new Date(START_MS + 60_000).toISOString(),
      });
      expect(JSON.stringify(answer.body)).not.toContain('eyJ');
      expect((await client.send('DELETE', `/v1/robots/${id}/session/links/${drive.id}`)).status).toBe(204);
      expect((await client.send('DELETE', `/v1/robots/${id}/session/links/${drive.id}`)).status).toBe(204);
      expect((await listed(id)).map((link) => link.id)).toEqual([watch.id]);
    });
  });

  it('pages through the links of a session, and lists none without a session', async () => {
    const { id } = await openRobot();
    const made = [];
    for (let i = 0; i < 3; i += 1) made.push((await makeLink(id, 'watch', 60, `watcher-${i}`)).id);
    const first = await service.send('GET', `/v1/robots/${id}/session/links?limit=2`);
    expect(first.body.result.map((link: { id: string }) => link.id)).toEqual(made.slice(0, 2));
    const second = await service.send('GET', `/v1/robots/${id}/session/links?limit=2&after_id=${first.body.next_id}`);
    expect(second.body).toMatchObject({ result: [{ id: made[2] }], next_id: null, total: 3 });
    await service.send('DELETE', `/v1/robots/${id}/session`);
    expect(await listed(id)).toEqual([]);
  });

  it('refuses to revoke a link of another robot, account or session', async () => {
    const [one, other] = [await openRobot(), await openRobot()];
    const { id } = await makeLink(one.id);
    for (const [robotId, linkId] of [
      [other.id, id],
      [one.id, 'x'],
      [one.id, one.id],
    ] as const)
      expect((await revoke(robotId, linkId)).body).toMatchObject({ code: 'link.not_found' });
    const path = `/v1/robots/${one.id}/session/links`;
    const foreign = { key: service.keys[1] };
    expect((await service.send('DELETE', `${path}/${id}`, foreign)).body).toMatchObject({ code: 'robot.not_found' });
    expect((await service.send('GET', path, foreign)).body).toMatchObject({ code: 'robot.not_found' });
    await service.send('DELETE', `/v1/robots/${one.id}/session`);
    await service.send('POST', `/v1/robots/${one.id}/session`);
    expect((await revoke(one.id, id)).body).toMatchObject({ code: 'link.not_found' });
  });

  it('a credential without an access is not listed as a link', async () => {
    const { id } = await openRobot();
    const body = { participant_identity: 'program-1' };
    const answer = await service.send('POST', `/v1/robots/${id}/session/participant-token`, { body });
    expect(answer.body.result).not.toHaveProperty('link_id');
    expect(decodeJwt(answer.body.result.participant_token)).not.toHaveProperty('attributes');
    expect(await listed(id)).toEqual([]);
  });

  it('signs the end of a link into its token and those of its pages, where a renewal by the media server keeps it', async () => {
    const { id } = await openRobot();
    const link = await makeLink(id, 'drive', 60);
    const endsAtS = START_MS / 1_000 + 60;
    expect(decodeJwt(link.token)).toMatchObject({
      exp: endsAtS,
      attributes: { 'simplesim.link_id': link.id, 'simplesim.link_ends': String(endsAtS) },
    });
    service.clock.advanceMs(20_000);
    const { watch } = await place(link.token);
    const page = decodeJwt(watch?.token ?? '');
    expect(page).toMatchObject({
      exp: endsAtS,
      attributes: { 'simplesim.link_id': link.id, 'simplesim.link_ends': String(endsAtS), 'simplesim.link': 'operator-1' },
    });
    expect(decodeJwt(watch?.grant?.grant ?? '').exp).toBe(endsAtS);
  });

  it('limits a place and its control grant to the signed end of the link, despite any other end in the token', async () => {
    const { id, room } = await openRobot();
    const endsAtS = START_MS / 1_000 + 60;
    const token = await signParticipantToken(SFU_KEY, {
      room,
      identity: 'operator-1',
      name: 'Ada',
      issuedAtS: START_MS / 1_000,
      ttlS: 600,
      access: 'drive',
      link: { identity: null, id, endsAtS },
    });
    const { watch } = await place(token);
    expect([decodeJwt(watch?.token ?? '').exp, decodeJwt(watch?.grant?.grant ?? '').exp]).toEqual([endsAtS, endsAtS]);
  });

  it('a revoked link grants neither a place nor a control grant, on any instance and after a restart', async () => {
    const { id } = await openRobot();
    const link = await makeLink(id);
    const page = (await place(link.token)).watch?.token ?? '';
    await revoke(id, link.id);
    // A restart clears the memory of an instance.
    const restarted = { ...service.deps, memory: { ...service.deps.memory, revokedLinks: new Set<string>() as never } };
    for (const deps of [service.deps, restarted])
      for (const token of [link.token, page]) expect(await place(token, deps)).toEqual({ watch: null, ended: 'revoked' });
  });

  it('a revoked link cannot press the emergency stop over HTTP', async () => {
    const { id } = await openRobot();
    const [link, other] = [await makeLink(id), await makeLink(id, 'drive', 60, 'operator-2')];
    await revoke(id, link.id);
    expect(await pressByLink(service.deps, SFU_KEY, { token: link.token, reason: null })).toBeNull();
    expect(await pressByLink(service.deps, SFU_KEY, { token: other.token, reason: null })).toMatchObject({ robot_id: id });
  });

  it('an instance that restarts soon learns of revoked links, for presses', async () => {
    const { id } = await openRobot();
    const link = await makeLink(id);
    await revoke(id, link.id);
    const heard = new Set<string>();
    const restarted = { ...service.deps, memory: { ...service.deps.memory, revokedLinks: heard as never } };
    await new ClosedLinks(restarted).tick();
    expect([...heard]).toEqual([link.id]);
  });

  it('revoking a link removes its pages from the room, and no one else', async () => {
    const { id, room } = await openRobot();
    const [link, other] = [await makeLink(id), await makeLink(id, 'watch', 60, 'watcher-1')];
    const page = await join((await place(link.token)).watch?.token ?? '');
    await join((await place(other.token)).watch?.token ?? '');
    service.sfu.identities.push('program-1', `simplesim:${id}`);
    await revoke(id, link.id);
    expect(service.sfu.removed).toEqual([`${room} ${page}`]);
  });

  it('removes the participants of a link that has ended, even if they return with a renewed token', async () => {
    const { id, room } = await openRobot();
    const link = await makeLink(id, 'watch', 60);
    const page = await join((await place(link.token)).watch?.token ?? '');
    const closed = new ClosedLinks(service.deps);
    service.clock.advanceMs(59_000);
    await closed.tick();
    expect(service.sfu.removed).toEqual([]);
    service.clock.advanceMs(1_000);
    await closed.tick();
    expect(service.sfu.removed).toEqual([`${room} ${page}`]);
    service.sfu.identities.push(page);
    service.clock.advanceMs(600_000);
    await closed.tick();
    expect(service.sfu.removed).toEqual([`${room} ${page}`, `${room} ${page}`]);
  });

  it('a media server that was away when a link was revoked gets the removal at the next check', async () => {
    const { id, room } = await openRobot();
    const link = await makeLink(id);
    const page = await join(link.token);
    service.sfu.failing.add('listParticipants').add('ensureRoom');
    expect((await revoke(id, link.id)).status).toBe(204);
    const closed = new ClosedLinks(service.deps);
    await closed.tick();
    expect(service.sfu.removed).toEqual([]);
    service.sfu.failing.clear();
    await closed.tick();
    expect(service.sfu.removed).toEqual([`${room} ${page}`]);
    expect(metadataOf(room)).toMatchObject({ closed_links: [{ id: link.id, identity: 'operator-1' }] });
  });

  it('checks a room rarely if no participant of its closed links has come for a while', async () => {
    const { id } = await openRobot();
    await makeLink(id, 'watch', 60);
    const closed = new ClosedLinks(service.deps);
    let looks = 0;
    service.sfu.listIdentities = async () => {
      looks += 1;
      return [];
    };
    service.clock.advanceMs(60_000);
    for (let i = 0; i < 10; i += 1) await closed.tick();
    expect(looks).toBe(10);
    service.clock.advanceMs(15 * 60_000);
    for (let i = 0; i < 10; i += 1) await closed.tick();
    expect(looks).toBe(11);
  });

  it('reads the links that have just closed every 2 s, and all links once a minute', async () => {
    const { id, room } = await openRobot();
    const closed = new ClosedLinks(service.deps);
    await closed.tick();
    const [early, late] = [await makeLink(id), await makeLink(id, 'drive', 3_600, 'operator-2')];
    await revoke(id, early.id);
    service.sfu.rooms.set(room, '');
    await closed.tick();
    expect(metadataOf(room).closed_links).toHaveLength(1);
    // Another instance, whose clock is far behind, revokes a link.
    await service.deps.db
      .update(links)
      .set({ revokedAt: new Date(service.clock.nowMs() - 600_000) })
      .where(eq(links.id, late.id));
    await closed.tick();
    expect(metadataOf(room).closed_links).toHaveLength(1);
    service.clock.advanceMs(60_000);
    await closed.tick();
    expect(metadataOf(room).closed_links).toHaveLength(2);
  });

  it('reports to the robot which operators’ links are closed, and which identities share it without a valid link', async () => {
    const { id, room } = await openRobot();
    const [first, again, gone] = [await makeLink(id), await makeLink(id), await makeLink(id, 'drive', 60, 'operator-2')];
    await makeLink(id, 'watch', 1, 'watcher-1');
    expect(metadataOf(room)).not.toHaveProperty('closed_links');
    await revoke(id, first.id);
    await revoke(id, gone.id);
    const shared = { id: first.id, identity: null };
    expect(metadataOf(room).closed_links).toEqual([{ id: gone.id, identity: 'operator-2' }, shared]);
    await revoke(id, again.id);
    expect(metadataOf(room).closed_links).toEqual([
      { id: gone.id, identity: 'operator-2' },
      { id: again.id, identity: 'operator-1' },
      { id: first.id, identity: 'operator-1' },
    ]);
  });

  it('reports to the robot a link that was revoked before its end, however many others have ended since', async () => {
    const { id, room } = await openRobot();
    const revoked = await makeLink(id, 'drive', 3_600, 'operator-0');
    for (let i = 1; i <= ENDED_LINKS_NAMED_MAX; i += 1) await makeLink(id, 'drive', 60, `operator-${i}`);
    await revoke(id, revoked.id);
    service.clock.advanceMs(60_000);
    await new ClosedLinks(service.deps).tick();
    const { closed_links: reported } = metadataOf(room);
    expect(reported).toHaveLength(ENDED_LINKS_NAMED_MAX);
    expect(reported?.[0]).toEqual({ id: revoked.id, identity: 'operator-0' });
  });

  describe('in a session with as many operators’ links as it may have', () => {
    const manyLinks = async (robotId: string, roomName: string, isRevoked: boolean): Promise<string[]> => {
      const now = new Date(service.clock.nowMs());
      const rows = Array.from({ length: OPERATOR_LINKS_MAX }, (_, at) => ({
        id: `01890a5d-ac96-774b-bcce-${String(at).padStart(12, '0')}`,
        robotId,
        roomName,
        // Each takes four bytes of UTF-8.
        identity: `${at}-${'🤖'.repeat(100)}`,
        name: 'Ada',
        access: 'drive' as const,
        createdAt: now,
        endsAt: new Date(now.getTime() + 3_600_000),
        revokedAt: isRevoked ? now : null,
      }));
      for (let at = 0; at < rows.length; at += 100) await service.deps.db.insert(links).values(rows.slice(at, at + 100));
      return rows.map((row) => row.id);
    };

    it('names each revoked link that has not ended to the robot, in metadata that any media server accepts', async () => {
      const { id, room } = await openRobot();
      const revoked = await manyLinks(id, room, true);
      await new ClosedLinks(service.deps).tick();
      const { closed_links: reported = [] } = metadataOf(room);
      expect(reported.map((link) => link.id).toSorted()).toEqual(revoked);
      expect(reported[0]?.identity).toMatch(/^\d+-🤖/u);
      expect(reported.at(-1)?.identity).toBeNull();
      // LiveKit Cloud accepts 64 KiB.
      expect(Buffer.byteLength(service.sfu.rooms.get(room) ?? '')).toBeLessThan(60_000);
    });

    it.each([
      ['revoked', true],
      ['valid', false],
    ])('makes no further operator’s link while all of them are %s, so that each can be named', async (_, isRevoked) => {
      const { id, room } = await openRobot();
      await manyLinks(id, room, isRevoked);
      const path = `/v1/robots/${id}/session/participant-token`;
      const refused = await service.send('POST', path, { body: { participant_identity: 'operator-1', access: 'drive' } });
      expect([refused.status, refused.body.details]).toMatchObject([
        429,
        { limit: 'operator_links_of_session', max: OPERATOR_LINKS_MAX },
      ]);
      await makeLink(id, 'watch', 60, 'watcher-1');
      service.clock.advanceMs(3_600_000);
      await makeLink(id, 'drive');
    });
  });

  it('reports to the robot a link that expires', async () => {
    const { id, room } = await openRobot();
    const link = await makeLink(id, 'drive', 60);
    service.clock.advanceMs(60_000);
    await new ClosedLinks(service.deps).tick();
    expect(metadataOf(room).closed_links).toEqual([{ id: link.id, identity: 'operator-1' }]);
  });

  it('makes no more links than a session may have, without counting expired ones', async () => {
    const { id } = await openRobot();
    const { accountLimits } = service.deps.settings;
    const max = accountLimits.linksOfSession;
    accountLimits.linksOfSession = 2;
    try {
      await makeLink(id);
      await makeLink(id, 'watch', 3_600);
      const body = { participant_identity: 'w', access: 'watch' };
      const path = `/v1/robots/${id}/session/participant-token`;
      const refused = await service.send('POST', path, { body });
      expect([refused.status, refused.body.details]).toMatchObject([429, { limit: 'links_of_session', max: 2 }]);
      service.clock.advanceMs(60_000);
      await makeLink(id, 'watch', 3_600);
    } finally {
      accountLimits.linksOfSession = max;
    }
  });

  it('keeps no links of sessions that are over', async () => {
    const { id } = await openRobot();
    await makeLink(id);
    await service.send('DELETE', `/v1/robots/${id}/session`);
    await new ClosedLinks(service.deps).tick();
    expect(await service.deps.db.select().from(links)).toEqual([]);
  });
});
