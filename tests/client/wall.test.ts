import { describe, expect, it } from 'vitest';
import { clientWallProblem } from '../../scripts/structure.ts';

describe('the boundary of the client library', () => {
  it.each([
    ['launch/link-command.ts', 'client/index.ts'],
    ['../tests/e2e/story.spec.ts', 'client/experimental.ts'],
    ['client/session.ts', 'client/internal/room-link.ts'],
    ['../tests/client/signing.test.ts', 'client/internal/wait.ts'],
    ['launch/link-command.ts', 'protocol/wire/limits.ts'],
  ])('the boundary of the client library lets %s import %s', (from, target) =>
    expect(clientWallProblem(from, target)).toBeNull(),
  );

  it.each([
    ['launch/link-command.ts', 'client/internal/http.ts'],
    ['launch/link-command.ts', 'client/session.ts'],
    ['../tests/worker/worker.alone.test.ts', 'client/internal/transport/node-transport.ts'],
    ['../scripts/storm.ts', 'client/internal/wait.ts'],
  ])('the boundary of the client library refuses %s the import of %s', (from, target) => {
    expect(clientWallProblem(from, target)).toBe(`imports ${target}, the inside of the client library; import client/index.ts`);
  });
});
