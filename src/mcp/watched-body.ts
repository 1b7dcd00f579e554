/** One request and its response. */
export interface Exchange {
  /** Called when the body of the response was read to its end. */
  readonly onRead: (() => void)[];
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
    if (isRead) for (const read of exchange.onRead) read();
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
