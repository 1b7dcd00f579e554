import { type Generation, openRaw, type RawCall, type RawClient } from '../../tests/mcp/helpers/mcp-clients.ts';
import { createMessageWatch, type MessageWatch } from './message-watch.ts';

/** A client over HTTP whose bytes are watched. */
export interface HttpClient {
  readonly raw: RawClient;
  readonly watch: MessageWatch;
  /** Reads a response to its end. @returns its last message; null if the connection broke before */
  read(call: RawCall): Promise<Record<string, unknown> | null>;
}

/** Opens a client of either generation. */
export async function openHttpClient(generation: Generation, url: string): Promise<HttpClient> {
  const watch = createMessageWatch();
  const raw = await openRaw(generation, {
    url,
    name: 'proof',
    fetch(to, init) {
      if (typeof init?.body === 'string') watch.sent(JSON.parse(init.body));
      return globalThis.fetch(to, init);
    },
  });
  return {
    raw,
    watch,
    async read({ response }) {
      let last: Record<string, unknown> | null = null;
      const take = (text: string): void => {
        watch.received(text);
        last = JSON.parse(text) as Record<string, unknown>;
      };
      try {
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) await readEvents(response, take);
        else take(await response.text());
      } catch {
        return null;
      }
      return last;
    },
  };
}

/** Gives the data of each event as it arrives. An event without data only opens the stream. */
async function readEvents({ body }: Response, take: (data: string) => void): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line ?? '').join('\n');
      if (data !== '') take(data);
    }
  }
}
