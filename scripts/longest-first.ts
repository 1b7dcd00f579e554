import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { readDurations } from './test-durations.ts';

/**
 * Runs the longest files of a project first, so that none of them starts at the end, when the other processes are idle. Vitest
 * knows durations only from an earlier run on the same machine, and starts with large files on a fresh machine.
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
