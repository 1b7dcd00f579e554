import { expect, test } from 'vitest';
import { cameraChoiceText, idBesideTitle } from '../../src/viewer/ui/common/camera-texts.ts';

test('a camera whose title is its id is named once', () => {
  const corner = { id: 'corner', title: 'Corner' };
  expect(idBesideTitle(corner)).toBeNull();
  expect(cameraChoiceText(corner)).toBe('corner');
});

test('any other camera shows its id beside its title, because programs use the id', () => {
  const ceiling = { id: 'topdown', title: 'Ceiling' };
  expect(idBesideTitle(ceiling)).toBe('topdown');
  expect(cameraChoiceText(ceiling)).toBe('topdown: ceiling');
});
