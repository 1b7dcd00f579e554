import { describe, expect, it } from 'vitest';
import { undocumentedNames } from '../../scripts/client/api-docs.ts';

/** The library of these declarations; the fields that a test leaves out are empty. */
const missingIn = (files: Record<string, string>): string[] =>
  undocumentedNames(new Map(Object.entries({ 'client/index.d.ts': '', 'client/experimental.d.ts': '', ...files })));

describe('public names of the client library', () => {
  it('public names of the client library have a docstring each, including members', () => {
    const text = `
/** A session. */
export declare class Session {
  #private;
  private hidden;
  id: string;
  /** Its state. */
  readonly state: { get(key: string): unknown; /** The keys. */ list(): string[] };
  /** @internal */
  constructor(parts: object);
  /** Ends it. */
  end(): void;
}
export interface Options { /** Milliseconds. */ timeoutMs?: number; signal?: AbortSignal }
export declare const VERSION = '1';
`;
    expect(missingIn({ 'client/session.d.ts': text })).toEqual([
      'client/session.d.ts: Options has no docstring',
      'client/session.d.ts: Options.signal has no docstring',
      'client/session.d.ts: Session.id has no docstring',
      'client/session.d.ts: Session.state.get has no docstring',
      'client/session.d.ts: VERSION has no docstring',
    ]);
  });

  it('public names count if they come from the protocol, and other names of the protocol do not', () => {
    expect(
      missingIn({
        'client/index.d.ts': "export type { Pose } from '../protocol/geometry.js';",
        'protocol/geometry.d.ts': 'export type Pose = object;\nexport type Other = object;',
      }),
    ).toEqual(['protocol/geometry.d.ts: Pose has no docstring']);
  });

  it('internal names of the client library do not count as public', () => {
    expect(missingIn({ 'client/internal/wait.d.ts': 'export declare function sleep(): void;' })).toEqual([]);
  });

  it('a public name may be declared several times under one docstring', () => {
    const text = '/** Reads. */\nexport declare function read(a: string): void;\nexport declare function read(a: number): void;';
    expect(missingIn({ 'client/read.d.ts': text })).toEqual([]);
  });
});
