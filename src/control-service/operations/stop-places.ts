/** A command that ends motion, while it waits for its robot. */
export interface StopPlace {
  robotId: string;
  /** Two stops of one kind have the same effect on their robot; null: this stop is unlike any other. */
  kind: string | null;
  /** Ends the wait: its place goes to a later one. */
  giveWay(): void;
}

/**
 * The stops of each account that wait for their robots in this instance. Each one occupies a connection, of which a port has a
 * limited number. A stop is never rejected for lack of places. If a later stop of the same kind for the same robot exists, the
 * earlier one gives up its place, because the later one stops the robot as well. The longest-waiting stops keep their places, so
 * that a flood does not prevent all from being carried out.
 */
export class StopPlaces {
  private readonly waiting = new Map<string, StopPlace[]>();

  /** How many there are. */
  get count(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Adds a stop.
   * @param robotId must be a robot of the account: each robot may have one stop of each kind, also beyond `max` @returns a
   * function that ends it; null if there is no place, which only happens to stops without a kind
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

/**
 * Returns the stop that gives up its place, from the robot with the most waiting stops: one that a later stop makes redundant,
 * otherwise one without a kind. Null if each is the only one of its kind.
 */
function whoGivesWay(all: readonly StopPlace[]): StopPlace | null {
  const byRobot = new Map<string, StopPlace[]>();
  for (const place of all) byRobot.set(place.robotId, [...(byRobot.get(place.robotId) ?? []), place]);
  const [most = []] = [...byRobot.values()].sort((a, b) => b.length - a.length);
  const isNeedless = ({ kind }: StopPlace, index: number) =>
    kind !== null && most.slice(index + 1).some((later) => later.kind === kind);
  return most.findLast(isNeedless) ?? most.findLast(({ kind }) => kind === null) ?? null;
}
