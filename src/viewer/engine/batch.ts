/** Collects the messages of one turn of the event loop. */
export interface Batch<Message> {
  say(message: Message): void;
  /** Sends the messages collected so far. Call it before work that may take long or never end. */
  flush(): void;
}

/**
 * Sends all messages of one turn of the event loop together, in order. A message between threads costs the receiver a task of its
 * own, and an instant skill sends five: its acceptance, two state updates, its stored result, and the reply.
 * @param send throws when one of the messages cannot be sent; each is then sent alone
 * @param onLost called with the thrown value for a message that cannot be sent at all
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
