import type { Page } from '@playwright/test';

/** Drops a file onto the middle of the page. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: 'application/json' }));
      return transfer;
    },
    { name, text },
  );
  // By its tag: an open dialog hides it from those who read by role.
  const main = page.locator('main[aria-label="World"]');
  await main.dispatchEvent('dragover', { dataTransfer: data });
  await main.dispatchEvent('drop', { dataTransfer: data });
}
