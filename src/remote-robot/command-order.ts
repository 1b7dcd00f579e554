import { type CommandKind, overtakes } from '../protocol/wire/command-kinds.ts';

/**
 * The order in which one caller has made its commands. Some robots keep a command until the next one. To these, a command must not
 * be sent again after a later command that it would undo.
 */
export class CommandOrder {
  #count = 0;
  /** The place of the latest command of each kind. */
  readonly #latest = new Map<CommandKind, number>();

  /** Number of commands so far. */
  get count(): number {
    return this.#count;
  }

  /** Returns the place of the next command, which overtakes none yet. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Notes that the command at this place is on its way. Earlier commands that it undoes must not be sent from then on. */
  note(kind: CommandKind, place: number): void {
    this.#latest.set(kind, Math.max(place, this.#latest.get(kind) ?? 0));
  }

  /** Counts a command that is on its way. @returns its place */
  add(kind: CommandKind): number {
    const place = this.next();
    this.note(kind, place);
    return place;
  }

  /** Returns whether a command after this place undoes the command of this kind at this place. */
  isOvertaken(kind: CommandKind, place: number): boolean {
    return this.#laterThan(place).some((later) => overtakes(later, kind));
  }

  /** Returns whether a command other than a stop or a read was made after this place. */
  hasMovedSince(place: number): boolean {
    return this.#laterThan(place).some((kind) => kind !== 'stop' && kind !== 'read');
  }

  #laterThan(place: number): CommandKind[] {
    return [...this.#latest].flatMap(([kind, latest]) => (latest > place ? kind : []));
  }
}
