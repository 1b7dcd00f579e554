import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { LONGEST } from './test-files.ts';

/**
 * Runs the longest files of a project first, so that none of them is left for the end, when the other processes have nothing to do. Vitest knows
 * durations only of a run before, and takes large files first on a fresh machine.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((one, other) => rank(one) - rank(other)),
    );
  }
}
