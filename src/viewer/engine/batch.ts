/** Collects what is said in one turn of the event loop. */
export interface Batch<Message> {
  say(message: Message): void;
  /** Sends what was said so far: what comes next may take long, or never end. */
  flush(): void;
}

/**
 * Sends together what is said in one turn of the event loop, in its order. A message between threads costs the receiver a task of
 * its own, and an instant skill says five things: that it was accepted, how it stands twice, its result to keep, and the reply.
 * @param send throws when one of the messages cannot be sent; then each is sent alone
 * @param onLost called with what was thrown for a message that cannot be sent at all
 */
export function createBatch<Message>(send: (messages: Message[]) => void, onLost: (thrown: unknown) => void): Batch<Message> {
  let waiting: Message[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const said = waiting;
    waiting = [];
    try {
      send(said);
    } catch {
      for (const message of said) sendAlone(message);
    }
  }

  function sendAlone(message: Message): void {
    try {
      send([message]);
    } catch (thrown) {
      onLost(thrown);
    }
  }

  return {
    say(message) {
      if (waiting.push(message) === 1) queueMicrotask(flush);
    },
    flush,
  };
}
