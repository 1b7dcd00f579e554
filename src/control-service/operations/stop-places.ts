/** A command that ends motion, while it waits for its robot. */
export interface StopPlace {
  robotId: string;
  /** Two of one kind mean the same to their robot; null: this one is like no other. */
  kind: string | null;
  /** Ends the wait: its place goes to a later one. */
  giveWay(): void;
}

/**
 * The stops of each account that wait for their robots in this instance: each holds a connection, of which a port has a limited
 * number. A stop is never refused for room. A stop with a later one of its kind at its robot gives its place away, because the
 * later one stops the robot as well. The longest waiting ones keep their places, so that a flood does not prevent all from being
 * carried out.
 */
export class StopPlaces {
  private readonly waiting = new Map<string, StopPlace[]>();

  /** How many there are. */
  get count(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * @param robotId of the place must be a robot of the account: each may have one of each kind, also beyond `max`
   * @returns a function that ends it; null when there is no room, which only happens to stops of no kind
   */
  enter(accountId: string, place: StopPlace, max: number): (() => void) | null {
    const places = this.waiting.get(accountId) ?? [];
    const all = [...places, place];
    const leaving = all.length > max ? whoGivesWay(all) : null;
    if (leaving === place) return null;
    places.push(place);
    this.waiting.set(accountId, places);
    if (leaving !== null) {
      this.leave(accountId, leaving);
      leaving.giveWay();
    }
    return () => this.leave(accountId, place);
  }

  private leave(accountId: string, place: StopPlace): void {
    const places = this.waiting.get(accountId) ?? [];
    const index = places.indexOf(place);
    if (index >= 0) places.splice(index, 1);
    if (places.length === 0) this.waiting.delete(accountId);
  }
}

/** Returns the stop to give way, of the robot with the most waiting ones: one that a later stop makes needless, otherwise one of no kind. Null where each is the only one of its kind. */
function whoGivesWay(all: readonly StopPlace[]): StopPlace | null {
  const byRobot = new Map<string, StopPlace[]>();
  for (const place of all) byRobot.set(place.robotId, [...(byRobot.get(place.robotId) ?? []), place]);
  const [most = []] = [...byRobot.values()].sort((a, b) => b.length - a.length);
  const isNeedless = ({ kind }: StopPlace, index: number) =>
    kind !== null && most.slice(index + 1).some((later) => later.kind === kind);
  return most.findLast(isNeedless) ?? most.findLast(({ kind }) => kind === null) ?? null;
}
