import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { readDurations } from './test-durations.ts';

/**
 * Runs the longest files of a project first, so that none of them is left for the end, when the other processes have nothing to do. Vitest knows
 * durations only of a run before on the same machine, and takes large files first on a fresh machine.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      durations[moduleId.slice(moduleId.lastIndexOf('/tests/') + 1)] ?? 0;
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((one, other) => secondsOf(other) - secondsOf(one)),
    );
  }
}
