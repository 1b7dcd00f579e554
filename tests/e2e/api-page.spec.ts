/** The browsable description of the control service, in a real browser under its own policy. */
import { expect, test } from '@playwright/test';
import { PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { describeFace } from '../../src/control-service/openapi.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import { openHttpServer } from '../../src/launch/http-server.ts';
import { bareService } from '../control-service/helpers/bare-service.ts';

test('the page lists every operation, tries one, and nothing of it breaks its policy', async ({ page }) => {
  const front = createFront(new Health());
  front.open({ service: bareService() });
  const http = await openHttpServer(0, front.app);
  try {
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`http://127.0.0.1:${http.port}/rcs/docs/`);
    const { paths } = describeFace(PUBLIC_FACE);
    await expect(page.locator('.opblock')).toHaveCount(
      Object.values(paths ?? {}).flatMap((methods) => Object.keys(methods)).length,
    );
    expect(troubles).toEqual([]);
    await page.locator('#operations-Robots-listRobots .opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await expect(page.locator('.live-responses-table tbody .response-col_status').first()).toContainText('401');
    // The refusal that was asked for is all that the browser has to complain of.
    expect(troubles.filter((text) => !text.includes('401'))).toEqual([]);
    expect(addresses.filter((url) => !url.startsWith(`http://127.0.0.1:${http.port}/rcs/`) && !url.startsWith('data:'))).toEqual(
      [],
    );
  } finally {
    await http.close();
  }
});
