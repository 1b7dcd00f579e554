/** The checks of versions before a release. */
import { expect, it } from 'vitest';
import { releaseProblems, statedVersions } from '../../scripts/release/versions.ts';

const READY = {
  simplesim: '1.2.0',
  typescript: '0.3.0',
  python: '0.3.0',
  changelog: '1.2.0',
  repository: 'git+https://example.org/r.git',
};
const CLEAN = { tag: 'v1.2.0', changedFiles: '', knownTags: ['v1.1.0'] };

it('a release has no problems if the files agree', () => {
  expect(releaseProblems(READY, CLEAN)).toEqual({ problems: [], before: [] });
});

it.each([
  ['the libraries differ', { python: '0.2.0' }, {}, 'in src/client/index.ts and 0.2.0 in'],
  ['the changelog is of another version', { changelog: '1.1.0' }, {}, 'CHANGELOG.md begins with 1.1.0'],
  ['the tag is of another version', {}, { tag: 'v1.1.9' }, 'Name it v1.2.0'],
])('a rehearsal is rejected if %s', (_, versions, clone, text) => {
  const { problems } = releaseProblems({ ...READY, ...versions }, { ...CLEAN, ...clone });
  expect(problems).toEqual([expect.stringContaining(text)]);
});

it.each([
  ['the changelog calls it unreleased', { changelog: '1.2.0, unreleased' }, {}, 'replace “1.2.0, unreleased” with “1.2.0”'],
  ['the repository has no address', { repository: null }, {}, 'set “repository”'],
  ['files have changed', {}, { changedFiles: ' M a' }, 'Commit or remove'],
  ['the tag exists', {}, { knownTags: ['v1.2.0'] }, 'Raise the version'],
])('a rehearsal lists what is left to do if %s', (_, versions, clone, text) => {
  const { problems, before } = releaseProblems({ ...READY, ...versions }, { ...CLEAN, ...clone });
  expect(problems).toEqual([]);
  expect(before).toEqual([expect.stringContaining(text)]);
});

it('the versions of this clone can be rehearsed', () => {
  const versions = statedVersions();
  expect(releaseProblems(versions, { ...CLEAN, tag: `v${versions.simplesim}` }).problems).toEqual([]);
});
