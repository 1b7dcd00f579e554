/** A bounded set of ids: beyond its size the oldest is forgotten. */
export class RecentIds {
  private readonly ids = new Set<string>();
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > this.max && oldest !== undefined) this.ids.delete(oldest);
  }
}
