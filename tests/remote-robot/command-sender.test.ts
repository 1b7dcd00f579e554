import { describe, expect, test } from 'vitest';
import { createControlKeyPair } from '../../src/protocol/signed/signed-control.ts';
import { type Command, CommandSender, UnsentError } from '../../src/remote-robot/command-sender.ts';
import { doneReply, guardReply } from '../client/helpers/fake-room.ts';

const ENVELOPE = 'runtime.forward_envelope';
const DRIVE = { name: 'set_velocity', input: { vx: 1 } };
const STOP = { name: 'stop', input: {} };

interface Fixture {
  signs?: boolean;
  /** Called for each pause before a refused command is sealed again. */
  onPause?(): void;
  credentials?(): Promise<null>;
  answer(name: string, isSealed: boolean): unknown;
}

/** A sender with a clock of the test, and the names of the commands in the order in which the robot carried them out. */
async function createSender({ signs = true, onPause, credentials, answer }: Fixture) {
  const { privateKey } = await createControlKeyPair();
  const clock = { nowMs: 0 };
  const carriedOut: string[] = [];
  const sender = new CommandSender({
    signs: () => signs,
    signsWhenAsked: true,
    credentials: credentials ?? (async () => ({ privateKey, grant: 'g', robotId: 'r', session: 's' })),
    forgetGrant: () => undefined,
    epochMs: () => 1_800_000_000_000,
    monotonicMs: () => clock.nowMs,
    async sleep(ms) {
      clock.nowMs += ms;
      onPause?.();
    },
  });
  const send = (payload: Command['payload']) =>
    sender.send({
      to: 'robot',
      method: 'runtime.tools_call',
      payload,
      timeoutMs: 5_000,
      async send(method, text) {
        const name: string = method === ENVELOPE ? sealedName(text) : JSON.parse(text).name;
        const reply = answer(name, method === ENVELOPE);
        if (reply !== null) return reply;
        carriedOut.push(name);
        return doneReply('a');
      },
    });
  return { send, carriedOut, clock };
}

function sealedName(text: string): string {
  const jws = Buffer.from(JSON.parse(text).envelope, 'base64').toString();
  return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()).call.payload.name;
}

describe('P7: a command that was refused does not follow a later stop', () => {
  test.each(['ENVELOPE_OUT_OF_ORDER', 'ENVELOPE_REPLAYED'])('that comes during the pause after %s', async (code) => {
    let refusals = 0;
    let stopping: Promise<unknown> | null = null;
    const { send, carriedOut } = await createSender({
      onPause() {
        stopping ??= send(STOP);
      },
      answer(name) {
        if (name !== DRIVE.name || refusals === 4) return null;
        refusals += 1;
        return guardReply(code);
      },
    });
    expect(await send(DRIVE)).toMatchObject({ isOvertaken: true });
    await stopping;
    expect(carriedOut).toEqual(['stop']);
  });

  test('that is sent unsigned', async () => {
    let stopping: Promise<unknown> | null = null;
    const { send, carriedOut } = await createSender({
      signs: false,
      answer(name) {
        if (name !== DRIVE.name) return null;
        stopping ??= send(STOP);
        return guardReply('PERMISSION_DENIED', 'Sign it.', { signed_control: true });
      },
    });
    expect(await send(DRIVE)).toMatchObject({ isOvertaken: true });
    await stopping;
    expect(carriedOut).toEqual(['stop']);
  });
});

test('a command whose time is up while credentials are fetched is not sent, also not unsigned', async () => {
  const { send, carriedOut, clock } = await createSender({
    async credentials() {
      clock.nowMs += 5_000;
      return null;
    },
    answer: () => null,
  });
  await expect(send(DRIVE)).rejects.toBeInstanceOf(UnsentError);
  expect(carriedOut).toEqual([]);
});
