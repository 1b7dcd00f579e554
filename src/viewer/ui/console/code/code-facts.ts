import type { RuntimeProfile } from '../../../../protocol/profile.ts';
import { isLoopback } from '../../../../protocol/room-key.ts';
import type { Callable } from '../callables.ts';

/** A call to be written as a program. */
export interface CodeFacts {
  callable: Pick<Callable, 'id' | 'kind' | 'title'>;
  input: unknown;
  options: Readonly<Record<string, unknown>>;
  /** Null for a robot of this tab alone: the program then takes the first there is. */
  robotId: string | null;
  /** Where the programs find the service. */
  platform: CodePlatform;
  /** Which contract the robot keeps. @default the simulator's */
  profile?: RuntimeProfile;
}

/** The service as a program on the person's machine reaches it. */
export interface CodePlatform {
  rcsUrl: string;
  /** It is that of `npm start` on this machine, whose key stands in a file of the clone. */
  isLocal: boolean;
}

/** File of the clone in which the local platform keeps its key. */
export const LOCAL_FILE = '.simplesim/local.json';

/** The service beside the page: who serves the one serves the other. */
export const platformOf = ({ origin, hostname }: Pick<Location, 'origin' | 'hostname'>): CodePlatform => ({
  rcsUrl: `${origin}/rcs`,
  isLocal: isLoopback(hostname),
});

/** The value if it is an object, else an empty one. */
export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Camera and size of a picture, as the console's form has them. */
export function pictureOf(input: unknown): { camera: string; size: Record<string, unknown> } {
  const { camera, width_px, height_px } = recordOf(input);
  const size = {
    ...(width_px === undefined ? {} : { width: width_px }),
    ...(height_px === undefined ? {} : { height: height_px }),
  };
  return { camera: typeof camera === 'string' ? camera : 'pov', size };
}

/** A text that is safe within one line of a comment. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** The text with every line that is not empty moved to the right. Only a line feed ends a line: other separators may stand in a value. */
export const indented = (text: string, spaces: number): string => text.replaceAll(/(^|\n)(?!\n|$)/g, `$1${' '.repeat(spaces)}`);
