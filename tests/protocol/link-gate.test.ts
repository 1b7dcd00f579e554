import { describe, expect, it } from 'vitest';
import { createLinkGate } from '../../src/protocol/room/link-gate.ts';
import { linkAttributes } from '../../src/protocol/service/access.ts';
import { createControlKeyPair, sealEnvelope } from '../../src/protocol/signed/signed-control.ts';

const END_S = 1_800_000_000;
/** The time at which the robot's own clock ends the link. */
const OVER_MS = END_S * 1_000 + 5 * 60_000;
const LINK = { identity: 'operator-1', id: 'link-1', endsAtS: END_S };
const PAGE = 'operator-1-0123456789abcdef';
const ofLink = (over: Partial<typeof LINK> = {}) => ({
  ...linkAttributes({ ...LINK, ...over }),
  'simplesim.access': 'drive',
});

interface Given {
  attributes?: unknown;
  closed?: unknown;
  nowMs?: number;
  identity?: string;
  method?: string;
  payload?: string;
}
function refusalOf(given: Given) {
  const { attributes, closed, nowMs = END_S * 1_000 - 1, identity = PAGE, method = 'runtime.tools_call', payload = '{}' } = given;
  const gate = createLinkGate({
    metadata: () => (closed === undefined ? '' : JSON.stringify({ closed_links: closed })),
    attributesOf: () => attributes,
    nowMs: () => nowMs,
  });
  const reply = gate({ requestId: 'r-1', callerIdentity: identity, method, payload });
  return reply === null ? null : JSON.parse(reply).error.code;
}

describe('a robot called by the page of a link', () => {
  it('rejects commands some minutes after the end of the link on its own, though the media server lets the page stay', () => {
    const attributes = ofLink();
    expect(refusalOf({ attributes, nowMs: OVER_MS - 1 })).toBeNull();
    expect(refusalOf({ attributes, nowMs: OVER_MS })).toBe('PERMISSION_DENIED');
    expect(refusalOf({ attributes, nowMs: OVER_MS, method: 'runtime.state' })).toBe('PERMISSION_DENIED');
  });

  it('accepts commands of a valid link although its own clock is some minutes ahead, until the service closes the link', () => {
    const given = { attributes: ofLink(), nowMs: END_S * 1_000 + 4 * 60_000 };
    expect(refusalOf(given)).toBeNull();
    expect(refusalOf({ ...given, closed: [{ id: 'link-1', identity: 'operator-1' }] })).toBe('PERMISSION_DENIED');
  });

  it('rejects a closed link that shares its identity with a valid link, by its id alone', () => {
    const closed = [{ id: 'link-1', identity: null }];
    expect(refusalOf({ attributes: ofLink(), closed })).toBe('PERMISSION_DENIED');
    expect(refusalOf({ attributes: ofLink({ id: 'link-2' }), closed })).toBeNull();
    expect(refusalOf({ closed })).toBeNull();
    expect(refusalOf({ closed, identity: 'plain' })).toBeNull();
  });

  it('rejects the commands of a revoked link, and of no other', () => {
    const closed = [{ id: 'link-1', identity: 'operator-1' }];
    expect(refusalOf({ attributes: ofLink(), closed })).toBe('PERMISSION_DENIED');
    expect(refusalOf({ attributes: ofLink({ id: 'link-2' }), closed })).toBeNull();
    expect(refusalOf({ attributes: {}, closed })).toBeNull();
  });

  it('rejects a page of a closed link that the media server has not announced yet, by its identity', () => {
    const closed = [{ id: 'link-1', identity: 'operator-1' }];
    for (const identity of [PAGE, 'operator-1']) expect(refusalOf({ closed, identity })).toBe('PERMISSION_DENIED');
    for (const identity of ['operator-2', 'operator-1-0123', `operator-10123456789abcdef`, 'client:x'])
      expect(refusalOf({ closed, identity })).toBeNull();
  });

  it('answers programs, and links of an older service, at any time', () => {
    for (const attributes of [undefined, {}, { 'simplesim.access': 'drive', 'simplesim.link': 'operator-1' }])
      expect(refusalOf({ attributes, nowMs: END_S * 2_000 })).toBeNull();
  });

  it('accepts a press of the emergency stop from a page whose link is over, plain or sealed', async () => {
    const nowMs = OVER_MS;
    expect(refusalOf({ attributes: ofLink(), nowMs, method: 'runtime.emergency_stop' })).toBeNull();
    const { privateKey } = await createControlKeyPair();
    const seal = async (method: 'runtime.emergency_stop' | 'runtime.tools_call') => {
      const call = { method, payload: {} };
      const envelope = await sealEnvelope({ call, robotId: 'r', session: 's', sequence: 1, grant: 'g', nowMs }, privateKey);
      return refusalOf({ attributes: ofLink(), nowMs, method: 'runtime.forward_envelope', payload: envelope });
    };
    expect(await seal('runtime.emergency_stop')).toBeNull();
    expect(await seal('runtime.tools_call')).toBe('PERMISSION_DENIED');
  });

  it.each(['', 'no JSON', '[]', 'null', '{"closed_links": 1}', '{"closed_links": [{}]}'])(
    'reads no closed links from metadata that is not of the service: %s',
    (metadata) => {
      const gate = createLinkGate({ metadata: () => metadata, attributesOf: () => undefined, nowMs: () => 0 });
      expect(gate({ requestId: '1', callerIdentity: PAGE, method: 'runtime.state', payload: '{}' })).toBeNull();
    },
  );
});
