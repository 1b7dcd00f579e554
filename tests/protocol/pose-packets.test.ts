import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createControlKeyPair, sealEnvelope, sealedIn } from '../../src/protocol/signed/signed-sealing.ts';
import { createPosePace } from '../../src/protocol/wire/pose-pace.ts';
import { createPoseChannel, packPose, shortened } from '../../src/protocol/wire/pose-packets.ts';
import { createPoseReceiver } from '../../src/protocol/wire/pose-receiver.ts';

const GRANT = `${'g'.repeat(300)}.${'c'.repeat(300)}.${'s'.repeat(62)}-_end-of-it`;
const keys = createControlKeyPair();
const seal = async (sequence: number, grant = GRANT): Promise<string> =>
  sealEnvelope(
    {
      call: { method: 'runtime.tools_call', payload: { name: 'set_upper_body', input: { note: 'Grüße "grant":"x"}' } } },
      robotId: 'r1',
      session: 'room-1',
      sequence,
      grant,
      nowMs: 1_800_000_000_000,
    },
    (await keys).privateKey,
  );

/** A sender and a robot, connected only by the test. */
function createEnds() {
  const out: string[] = [];
  const back: string[] = [];
  const got: { requestId: string; payload: string; callerIdentity: string }[] = [];
  const late: (() => void)[] = [];
  const clock = { nowMs: 0 };
  const line = createPoseChannel({
    send: (packet) => out.push(packet),
    after(_ms, act) {
      late.push(act);
      return () => late.splice(late.indexOf(act), 1);
    },
    late: () => new Error('late'),
  });
  const newReceiver = () =>
    createPoseReceiver(
      async (call) => {
        got.push(call);
        return `answer ${got.length}`;
      },
      (_to, packet) => back.push(packet),
      () => clock.nowMs,
    );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { line, out, back, got, late, clock, newReceiver, settle };
}

describe('poses as packets', () => {
  it('poses arrive as exactly the envelope that was signed, whole at first and without the known grant from the first answer on', async () => {
    const { line, out, back, got, newReceiver, settle } = createEnds();
    const receiver = newReceiver();
    const sealed = [await seal(1), await seal(2)];
    const first = line.call(sealed[0] ?? '', 1_000);
    receiver(out[0] ?? '', 'ann');
    await settle();
    line.take(back[0] ?? '');
    expect(await first).toBe('answer 1');
    const second = line.call(sealed[1] ?? '', 1_000);
    expect(out[1]?.length).toBeLessThan((out[0]?.length ?? 0) / 2);
    receiver(out[1] ?? '', 'ann');
    await settle();
    line.take(back[1] ?? '');
    expect(await second).toBe('answer 2');
    expect(got.map(({ payload }) => payload)).toEqual(sealed);
    expect(got.every(({ callerIdentity }) => callerIdentity === 'ann')).toBe(true);
  });

  it('poses have the same bytes as those of the Python library, and are reassembled from them', async () => {
    const path = join(import.meta.dirname, '../../clients/python/tests/realtime/pose_packets.json');
    const vector = JSON.parse(readFileSync(path, 'utf8')) as Record<
      'grant' | 'request' | 'whole_packet' | 'short_packet',
      string
    >;
    const { line, out, back, got, newReceiver, settle } = createEnds();
    const receiver = newReceiver();
    for (const packet of [vector.whole_packet, vector.short_packet]) {
      void line.call(vector.request, 9);
      expect(out.at(-1)).toBe(packet);
      receiver(packet, 'ann');
      await settle();
      expect(got.at(-1)?.payload).toBe(vector.request);
      line.take(back.at(-1) ?? '');
    }
    expect(shortened(sealedIn(vector.request))?.grant).toBe(vector.grant);
  });

  it('poses carry the whole grant again for a robot that does not know it: a restarted robot, or one that received it from another sender', async () => {
    const { line, out, back, got, newReceiver, settle } = createEnds();
    void line.call(await seal(1), 1_000);
    newReceiver()(out[0] ?? '', 'ann');
    await settle();
    line.take(back[0] ?? '');
    void line.call(await seal(2), 1_000);
    const other = newReceiver();
    other(out[0] ?? '', 'eve');
    await settle();
    other(out[1] ?? '', 'ann');
    expect(back.at(-1)).toBe('2 ');
    line.take(back.at(-1) ?? '');
    const third = await seal(3);
    void line.call(third, 1_000);
    expect(out[2]).toBe(packPose(3, sealedIn(third)));
    other(out[2] ?? '', 'ann');
    await settle();
    expect(got.at(-1)?.payload).toBe(third);
  });

  it('lost poses resolve with the next answer, and fail as late without any answer', async () => {
    const { line, late } = createEnds();
    const [one, two, three] = [line.call(await seal(1), 9), line.call(await seal(2), 9), line.call(await seal(3), 9)];
    line.take('2 yes');
    expect([await one, await two]).toEqual(['yes', 'yes']);
    expect(late).toHaveLength(1);
    late[0]?.();
    await expect(three).rejects.toThrow('late');
    line.take('3 too late');
  });

  it('poses of a flood are dropped without affecting other senders, and are accepted again a second later', async () => {
    const { line, out, got, newReceiver, clock } = createEnds();
    const receiver = newReceiver();
    void line.call(await seal(1), 9);
    for (let sent = 0; sent < 5_000; sent += 1) receiver(out[0] ?? '', 'eve');
    expect(got).toHaveLength(200);
    receiver(out[0] ?? '', 'ann');
    expect(got).toHaveLength(201);
    clock.nowMs = 1_000;
    receiver(out[0] ?? '', 'eve');
    expect(got).toHaveLength(202);
  });

  it('the sender requests an answer until one has come', async () => {
    const { line, out, back, newReceiver, settle } = createEnds();
    line.probe();
    expect(line.isOpen()).toBe(false);
    newReceiver()(out[0] ?? '', 'ann');
    await settle();
    line.take(back[0] ?? '');
    expect(line.isOpen()).toBe(true);
    line.probe();
    expect(out).toHaveLength(1);
    // A robot that has restarted knows no grant, and its packets may not arrive yet.
    line.close();
    expect(line.isOpen()).toBe(false);
    line.probe();
    expect(out).toHaveLength(2);
  });

  it('a pose counts as one call when its packet arrives twice', async () => {
    const { line, out, got, newReceiver, settle } = createEnds();
    const receiver = newReceiver();
    void line.call(await seal(1), 9);
    receiver(out[0] ?? '', 'ann');
    receiver(out[0] ?? '', 'ann');
    await settle();
    expect(new Set(got.map(({ requestId }) => requestId)).size).toBe(1);
  });

  it.each(
    Object.entries({
      nothing: '',
      'a blank': ' ',
      'a number': '1',
      'no number': 'x 1',
      'a number below zero': '-1 a.b.c',
      'a number without end': '9999999999999 a.b.c',
      'no base64': '1 a.%%.b',
      'an empty part': '1 a..b',
      'no text of UTF-8': '1 a.gIA.b',
      'the half of a short form': '1 h.s tail {"grant":"',
      'the end of a grant again and again': `1 ${'"grant":"'.repeat(1_600)}`,
      'a packet of 20 kB': `1 ${'a'.repeat(20_000)}`,
    }),
  )('poses are not affected by an invalid packet: %s', async (_what, packet) => {
    const { line, newReceiver, settle } = createEnds();
    newReceiver()(packet, 'eve');
    line.take(packet);
    await settle();
  });
});

describe('the pace of poses', () => {
  /** Sends every permitted pose each 20 ms, over a connection that answers each after this delay; null for never. */
  function sentIn(forMs: number, answerMs: (sentMs: number) => number | null): number[] {
    const pace = createPosePace();
    let under: { sentMs: number; dueMs: number; answered: (nowMs: number) => void }[] = [];
    const sent: number[] = [];
    for (let nowMs = 0; nowMs < forMs; nowMs += 1) {
      // An answer also settles the poses before it.
      const newestMs = Math.max(-1, ...under.filter(({ dueMs }) => dueMs === nowMs).map(({ sentMs }) => sentMs));
      for (const { answered } of under.filter(({ sentMs }) => sentMs <= newestMs)) answered(nowMs);
      under = under.filter(({ sentMs }) => sentMs > newestMs);
      if (nowMs % 20 !== 0 || !pace.maySend(nowMs)) continue;
      sent.push(nowMs);
      const takes = answerMs(nowMs);
      const answered = pace.sent(nowMs);
      if (takes !== null) under.push({ sentMs: nowMs, dueMs: nowMs + takes, answered });
    }
    return sent;
  }

  it.each([10, 150, 300, 600])('the pace is full on a connection that answers after %i ms', (ms) => {
    expect(sentIn(4_000, () => ms)).toHaveLength(200);
  });

  it('the pace drops if answers arrive later and later, and recovers when they do not', () => {
    const sent = sentIn(6_000, (atMs) => (atMs > 2_000 && atMs < 4_000 ? 100 + (atMs - 2_000) : 100));
    const inSecond = (second: number): number => sent.filter((atMs) => Math.floor(atMs / 1_000) === second).length;
    expect(inSecond(1)).toBe(50);
    expect(inSecond(3)).toBeLessThan(15);
    expect(inSecond(5)).toBeGreaterThan(25);
  });

  it('the pace drops to a few poses and then an occasional one without answers, so few are in transit when the connection returns', () => {
    const sent = sentIn(10_000, (atMs) => (atMs < 2_000 ? 100 : null)).filter((atMs) => atMs >= 2_300);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.length).toBeLessThan(30);
  });
});
