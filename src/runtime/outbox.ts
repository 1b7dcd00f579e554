/** Messages that wait to be told to the outside, first in, first out; taking one out costs the same however many wait. */
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
