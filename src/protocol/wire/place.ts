import type { SceneFile } from '../files/scene-file.ts';
import type { BoxLook, LookId, Paint } from './look-ids.ts';
import type { CameraView } from './render-state.ts';
import type { RobotId } from './robot.ts';
import type { SceneLayout } from './scene.ts';

/** The kind of a box of a layout. The scene states it; it is never derived from an id. */
export type Furniture =
  /** A side of the scene: it is drawn with the scene's shell, and a person cannot point at it. */
  | { id: string; kind: 'wall' }
  | { id: string; kind: 'rack' }
  /** A box that carries a pad: a person who points at it means the pad. */
  | { id: string; kind: 'pallet'; padId: string }
  /** A box that carries a pad as a pallet does. */
  | { id: string; kind: 'table'; padId: string }
  /** The body of a conveyor, under the pad on which things arrive. */
  | { id: string; kind: 'belt'; padId: string }
  /** The hood from which a belt's things come out. */
  | { id: string; kind: 'infeed'; beltId: string }
  /** A letter on a post that names a pad. */
  | { id: string; kind: 'sign'; padId: string; letter: string };

export type FurnitureKind = Furniture['kind'];

/** A camera that hangs in the place. */
export interface SceneCamera extends CameraView {
  id: string;
  /** Name for people: one word. */
  title: string;
  /** Description for clients. */
  description: string;
}

/** Something that is only drawn: a rug, a window. */
export type Decor = NonNullable<SceneFile['decor']>[number];

/** The appearance of a place, besides its walls and ceiling. It has no effect on the simulation. */
export interface Dressing extends Pick<SceneFile, 'floor' | 'paint' | 'decor'> {
  /** The appearances of boxes, by their ids. */
  boxes: Readonly<Record<string, { look: BoxLook; paint?: Paint | undefined }>>;
}

/**
 * The part of a scene that page and cameras receive: the part that clients read, and the kinds of its boxes. A box without a kind
 * is a plain obstacle.
 */
export interface ScenePlace extends SceneLayout {
  /** The model of the robot in it. */
  robot: RobotId;
  furniture: readonly Furniture[];
  cameras: readonly SceneCamera[];
  /** The appearance of walls and ceiling. */
  look: LookId;
  /** Null if the file does not set it. */
  dressing: Dressing | null;
}

/** Returns the furniture of this box, or null for a plain obstacle. */
export const furnitureOf = ({ furniture }: Pick<ScenePlace, 'furniture'>, obstacleId: string): Furniture | null =>
  furniture.find(({ id }) => id === obstacleId) ?? null;

/** Returns whether the box with this id is of this kind. */
export const isOfKind = (place: Pick<ScenePlace, 'furniture'>, obstacleId: string, kind: FurnitureKind): boolean =>
  furnitureOf(place, obstacleId)?.kind === kind;

/** Returns the pad that things on top of a piece of furniture lie on, or null when it carries none. */
export const carriedPadId = (piece: Furniture | null): string | null =>
  piece?.kind === 'pallet' || piece?.kind === 'table' || piece?.kind === 'belt' ? piece.padId : null;

/** Returns the piece of furniture that carries this pad, or null for a pad on the floor. */
export const carrierOf = ({ furniture }: Pick<ScenePlace, 'furniture'>, padId: string): Furniture | null =>
  furniture.find((piece) => carriedPadId(piece) === padId) ?? null;
