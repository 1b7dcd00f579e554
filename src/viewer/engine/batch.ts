/**
 * Sends together what is said in one turn of the event loop, in its order. A message between threads costs the receiver a task of
 * its own, and an instant skill says five things: that it was accepted, how it stands twice, its result to keep, and the reply.
 */
export function createBatch<Message>(send: (messages: Message[]) => void): (message: Message) => void {
  let waiting: Message[] = [];
  return (message) => {
    if (waiting.push(message) > 1) return;
    queueMicrotask(() => {
      const said = waiting;
      waiting = [];
      send(said);
    });
  };
}
