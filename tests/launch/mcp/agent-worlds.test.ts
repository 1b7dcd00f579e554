import { expect, it } from 'vitest';
import { readWorld } from '../../../src/launch/mcp/agent-worlds.ts';

it('lists the tasks if a task is unknown', async () => {
  const read = readWorld({ modelId: 'humanoid', scene: null, task: 'hall-hold-blu', seed: 1 });
  await expect(read).rejects.toThrow(/There is no task "hall-hold-blu"\. Did you mean hall-hold-blue\? There are: .*kitchen-/);
});
