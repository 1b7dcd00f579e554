/** Scene files that tests spoil, and the reader's answers to them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';

export type File = Record<string, unknown> & {
  obstacles: Item[];
  pads: Item[];
  things: Item[];
  cameras: Item[];
  fixtures: Item[];
};
/** Any part of a scene file, valid or not. */
export type Item = Record<string, unknown>;

export const textOf = (id: string): string => readFileSync(join(import.meta.dirname, `../../scenes/${id}.json`), 'utf8');
export const hall = (): File => JSON.parse(textOf('hall')) as File;
export const warehouse = (): File => JSON.parse(textOf('warehouse')) as File;
export const problemsOf = (file: unknown): string[] => {
  const read = readSceneFile(file);
  return read.ok ? [] : read.problems.map(({ path, reason }) => `${path} ${reason}`);
};
