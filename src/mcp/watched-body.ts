import { setImmediate as turn } from 'node:timers/promises';
import type { Delivery } from './server.ts';

/** One request and its response. */
export interface Exchange {
  /** The replies in the response. They count as delivered when its body was read to its end. */
  readonly deliveries: Delivery[];
  /** Registers what to do if the connection is reset after the response; absent if that cannot be known. */
  readonly whenReset: ((lost: () => void) => void) | undefined;
  /** Called if the body of the response is not read to its end. */
  onBroken(): void;
  /** Called once, after one of the others. */
  onOver(): void;
}

/**
 * Returns the response with a body that reports its end. Its reader asks for each part, so the last part has left the service
 * when the end is reached.
 * @param signal fires when the connection breaks
 */
export function watchBody(response: Response, exchange: Exchange, signal: AbortSignal): Response {
  if (response.body === null) {
    exchange.onOver();
    return response;
  }
  const reader = response.body.getReader();
  let isOver = false;
  const end = (isRead: boolean): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    if (isRead) deliver(exchange);
    else exchange.onBroken();
    exchange.onOver();
  };
  const breakOff = async (reason: unknown): Promise<void> => {
    end(false);
    await reader.cancel(reason).catch(() => undefined);
  };
  const onAbort = (): void => void breakOff(signal.reason);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        // The second turn begins after Node has looked for closed connections: nothing is handed to one of them.
        await turn();
        await turn();
        if (!done) controller.enqueue(value);
        else {
          end(true);
          controller.close();
        }
      },
      cancel: breakOff,
    },
    { highWaterMark: 0 },
  );
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function deliver({ deliveries, whenReset }: Exchange): void {
  for (const delivery of deliveries) delivery.delivered();
  if (deliveries.length === 0) return;
  whenReset?.(() => {
    for (const delivery of deliveries) delivery.lost?.();
  });
}
