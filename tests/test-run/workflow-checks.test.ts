import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asWorkflow } from '../../scripts/workflow-checks.ts';

test('a composite action becomes a workflow with its inputs, its steps and a job that uses it', () => {
  const action = `
inputs:
  node: { description: The version, default: '22' }
runs:
  using: composite
  steps:
    - if: inputs.node == '22'
      run: node -v
      shell: bash`;
  const runner = { 'runs-on': 'ubuntu-24.04' };
  expect(parse(asWorkflow(action, '.github/actions/set-up'))).toEqual({
    on: { workflow_call: { inputs: { node: { type: 'string' } } } },
    jobs: {
      steps: { ...runner, steps: [{ if: "inputs.node == '22'", run: 'node -v', shell: 'bash' }] },
      use: { ...runner, steps: [{ uses: './.github/actions/set-up', with: { node: 'given' } }] },
    },
  });
});
