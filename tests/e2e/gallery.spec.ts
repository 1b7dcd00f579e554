/** The gallery, as designers and readers open it. */
import { STATES } from '../gallery/states.ts';
import { expect, test } from './support/still-page.ts';

test('the gallery lists every state of the page with a link, and a link opens the state', async ({ gallery, open }) => {
  const page = await open(gallery.url);
  await expect(page.getByRole('listitem')).toHaveText(Object.entries(STATES).map(([name, { says }]) => `${name}: ${says}`));
  await page.getByRole('link', { name: 'taken-over' }).click();
  await expect(page.getByRole('heading', { name: 'Another page took over' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'frame-stopped' }).click();
  await expect(page.locator('.embed')).toHaveAttribute('data-phase', 'live');
  await expect(page.getByRole('button', { name: 'Release…' })).toBeVisible();
});
