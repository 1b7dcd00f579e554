import { isLoopback } from '../../../../protocol/room/room-key.ts';
import { fieldsOf } from '../../../../protocol/wire/command-kinds.ts';
import { runtimeName } from '../../../../protocol/wire/identity.ts';
import { PRODUCT_NAME } from '../../../../protocol/wire/limits.ts';
import type { RuntimeProfile } from '../../../../protocol/wire/profile.ts';
import type { Callable } from '../callables.ts';

/** A call to be written as a program. */
export interface CodeFacts {
  callable: Pick<Callable, 'id' | 'kind' | 'title'>;
  input: unknown;
  options: Readonly<Record<string, unknown>>;
  robotId: string;
  /** Where the programs find the service. */
  platform: CodePlatform;
  /** The contract of the robot. @default the simulator's */
  profile?: RuntimeProfile;
}

/** Returns the prefix of the robot runtime's identity, if the client libraries expect another one; otherwise null. */
export function identityPrefixOf({ profile = 'simulator' }: CodeFacts): string | null {
  const prefix = runtimeName(profile);
  return prefix === PRODUCT_NAME ? null : prefix;
}

/** The address at which a program on the person's machine reaches the service. */
export interface CodePlatform {
  rcsUrl: string;
  /** Whether it is the service of `npm start` on this machine, whose key is in a file of the clone. */
  isLocal: boolean;
}

/** File of the clone in which the local platform keeps its key. */
export const LOCAL_FILE = '.simplesim/local.json';

/** Returns the service beside the page: the same server serves both. */
export const platformOf = ({ href, hostname }: Pick<Location, 'href' | 'hostname'>): CodePlatform => ({
  rcsUrl: new URL('./rcs', href).href,
  isLocal: isLoopback(hostname),
});

/** Returns camera and size of a picture from the console's form. */
export function pictureOf(input: unknown): { camera: string; size: Record<string, unknown> } {
  const { camera, width_px, height_px } = fieldsOf(input);
  const size = {
    ...(width_px === undefined ? {} : { width: width_px }),
    ...(height_px === undefined ? {} : { height: height_px }),
  };
  return { camera: typeof camera === 'string' ? camera : 'pov', size };
}

/** Makes a text safe within one line of a comment. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/**
 * Indents every line of a text that is not empty. Only a line feed ends a line, because other separators may occur in a value.
 */
export const indented = (text: string, spaces: number): string => text.replaceAll(/(^|\n)(?!\n|$)/g, `$1${' '.repeat(spaces)}`);
