import type { Vec3 } from '../../protocol/wire/geometry.ts';

/** The thing that something is put on, or in when it is an open container. */
export interface OnThing {
  entityId: string;
  isInside: boolean;
}

/** A place where the held thing may be put, with the headings of the hands to choose from. */
export interface Place {
  label: string;
  padId: string | null;
  slot: number | null;
  /** The thing that it is put on or in; null for a pad or the floor. */
  on: OnThing | null;
  /** The place where the thing's centre is to rest, world frame. */
  centre: Vec3;
  gripYaws: readonly number[];
}
