import { Scenes } from '../../src/simulation/scene.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';

/** Returns the built-in scenes and those of files. @throws Error if a file is invalid */
export const scenesOf = (...files: readonly object[]): Scenes =>
  new Scenes(
    ...files.map((file) => {
      const read = readSceneFile(file);
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      return read.definition;
    }),
  );
