/** Outbound messages that wait to be sent, first in, first out. Removing a message takes constant time. */
export class Outbox {
  #deliveries: (() => void)[] = [];
  #told = 0;

  push(delivery: () => void): void {
    this.#deliveries.push(delivery);
  }

  shift(): (() => void) | undefined {
    const next = this.#deliveries[this.#told];
    if (next) this.#told += 1;
    else {
      this.#deliveries = [];
      this.#told = 0;
    }
    return next;
  }
}
