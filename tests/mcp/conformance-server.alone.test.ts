/**
 * The server that the experiment `conformance` tests. It also shows what the product's handlers over HTTP carry: questions to the
 * client, log messages, and results of every kind.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConformanceAddress, openConformanceAddress } from './helpers/conformance/address.ts';
import { GENERATIONS } from './helpers/mcp-clients.ts';

let address: ConformanceAddress;
beforeAll(async () => {
  address = await openConformanceAddress();
});
afterAll(() => address.close());

describe.each(GENERATIONS)('for a client of %s, the conformance server', (generation) => {
  async function connected(): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      {
        capabilities: { elicitation: { form: {} } },
        ...(generation === '2026-07-28' ? { versionNegotiation: { mode: { pin: generation } } } : {}),
      },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(address.url)));
    return client;
  }

  it('has the tools and resources of the product in addition to its own', async () => {
    const client = await connected();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['robot_status', 'test_simple_text']));
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['robot://status', 'test://static-text']));
    const status = await client.callTool({ name: 'robot_status', arguments: {} });
    expect(status.structuredContent).toMatchObject({ status: 'ready' });
    await client.close();
  });

  it('asks the person at the client during a call', async () => {
    const client = await connected();
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
    const result = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
    expect(result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
    await client.close();
  });
});
