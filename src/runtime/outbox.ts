/** Outbound messages that wait to be sent, first in, first out. Removing a message takes constant time. */
export class Outbox {
  #deliveries: (() => void)[] = [];
  #sent = 0;

  push(delivery: () => void): void {
    this.#deliveries.push(delivery);
  }

  shift(): (() => void) | undefined {
    const next = this.#deliveries[this.#sent];
    if (next) this.#sent += 1;
    else {
      this.#deliveries = [];
      this.#sent = 0;
    }
    return next;
  }
}
