import { expect, it } from 'vitest';
import { createLinkPresses } from '../../src/viewer/robots/link-presses.ts';

const presses = () => createLinkPresses<'watch' | 'drive'>();

it('two presses in a row count as one until the link is made and its tab has opened', () => {
  const { begin } = presses();
  const press = begin('watch');
  expect(begin('watch')).toBeNull();
  const opened = press?.opening();
  press?.end();
  expect(begin('watch')).toBeNull();
  expect(opened?.()).toBe(true);
  expect(begin('watch')).not.toBeNull();
});

it('another button works while a tab opens, and the outcome of that tab does not matter any more', () => {
  const { begin } = presses();
  const watch = begin('watch');
  expect(begin('drive')).toBeNull();
  const opened = watch?.opening();
  watch?.end();
  const drive = begin('drive');
  expect(drive).not.toBeNull();
  expect(opened?.()).toBe(false);
  watch?.end();
  expect(begin('watch')).toBeNull();
});

it('a link that could not be made is requested again', () => {
  const { begin } = presses();
  begin('watch')?.end();
  expect(begin('watch')).not.toBeNull();
});
