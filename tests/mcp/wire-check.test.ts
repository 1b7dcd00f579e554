import { describe, expect, it } from 'vitest';
import { GENERATIONS, type Generation } from './helpers/mcp-clients.ts';
import { WireCheck } from './helpers/wire-check.ts';

/** Checks a message of the server after the client has sent request 1. */
function problemOf(generation: Generation, method: string, message: object): string | null {
  const check = new WireCheck();
  const meta = generation === '2026-07-28' ? { 'io.modelcontextprotocol/protocolVersion': generation } : {};
  check.sent({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });
  return check.received({ jsonrpc: '2.0', ...message });
}

const TEXT = { content: [{ type: 'text', text: 'Done.' }], resultType: 'complete' };

describe.each(GENERATIONS)('the check of the messages of %s', (generation) => {
  it.each([
    ['a result', 'tools/call', { id: 1, result: TEXT }],
    ['an error', 'tools/call', { id: 1, error: { code: -32_603, message: 'Failed.' } }],
    ['an error without a request', 'tools/call', { error: { code: -32_603, message: 'Failed.' } }],
    ['progress', 'tools/call', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
  ])('accepts %s', (_what, method, message) => {
    expect(problemOf(generation, method, message)).toBeNull();
  });

  it.each([
    ['a result without a request', 'tools/call', { id: 2, result: TEXT }],
    ['a content block of an unknown type', 'tools/call', { id: 1, result: { ...TEXT, content: [{ type: 'film' }] } }],
    ['an error whose id is null', 'tools/call', { id: null, error: { code: -32_603, message: 'Failed.' } }],
    ['progress without a token', 'tools/call', { method: 'notifications/progress', params: { progress: 1 } }],
    ['a notification that the product does not send', 'tools/call', { method: 'notifications/tools/list_changed' }],
    ['a tool without a schema', 'tools/list', { id: 1, result: { tools: [{ name: 'a' }], ttlMs: 0, cacheScope: 'private' } }],
  ])('rejects %s', (_what, method, message) => {
    expect(problemOf(generation, method, message)).toContain('The protocol rejects this message.');
  });
});

it('the check of the messages of 2026-07-28 rejects a result without its type, and a list that states no cache time', () => {
  const call = { id: 1, result: { content: [] } };
  expect(problemOf('2026-07-28', 'tools/call', call)).toContain('resultType');
  expect(problemOf('2025-11-25', 'tools/call', call)).toBeNull();
  expect(problemOf('2026-07-28', 'tools/list', { id: 1, result: { tools: [], resultType: 'complete' } })).toContain('ttlMs');
});
