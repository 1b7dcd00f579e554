/**
 * How the interface looks in its main states at three sizes, against pictures kept in `snapshots/`. After a wanted change:
 * `npx playwright test tests/e2e/look.spec.ts --update-snapshots`, and look at every picture that changed.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './support/still-page.ts';

const SIZES = {
  wide: { width: 1440, height: 900 },
  middle: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;

async function look(page: Page, state: string): Promise<void> {
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await expect(page).toHaveScreenshot(`${state}-${name}.png`);
  }
  await page.setViewportSize(SIZES.wide);
}

/** Neither focus nor pointer is part of a state. */
async function letGo(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`the page looks as it did, ${colorScheme}`, async ({ still, browser }) => {
    // The page's policy would refuse the style that hides the pictures.
    const context = await browser.newContext({ viewport: SIZES.wide, bypassCSP: true, colorScheme, reducedMotion: 'reduce' });
    const { page: gate } = await still('gate', { context });
    const field = gate.getByRole('textbox', { name: /room key/i });
    await expect(field).toBeVisible();
    await gate.evaluate(() => document.fonts.ready);
    await letGo(gate);
    await look(gate, `gate-${colorScheme}`);
    await field.fill('hello');
    await field.press('Enter');
    await expect(gate.getByRole('alert').first()).toHaveText(/not a room key/);
    await letGo(gate);
    await look(gate, `gate-refused-${colorScheme}`);

    const { page } = await still('this-tab', { context });
    await expect(page.locator('html')).toHaveAttribute('data-world');
    await expect(page.getByRole('tab', { name: 'Skills' })).toBeVisible();
    await expect(page.getByText('pick_entity')).toBeVisible();
    await letGo(page);
    await look(page, `skills-${colorScheme}`);
    // The light twin has the same shapes: the other checks have covered differences of colour alone.
    if (colorScheme === 'light') return context.close();
    await page.getByRole('button', { name: /pick_entity/ }).click();
    await letGo(page);
    await look(page, 'skill-form-dark');
    await page.getByRole('tab', { name: 'Actions' }).click();
    await letGo(page);
    await look(page, 'no-actions-dark');
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await letGo(page);
    await look(page, 'menu-dark');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Drive by hand' }).click();
    await expect(page.getByRole('region', { name: 'Driving by hand' })).toBeVisible();
    await letGo(page);
    await look(page, 'driving-dark');
    await context.close();
  });
}
