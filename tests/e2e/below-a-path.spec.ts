/** The platform behind a reverse proxy that has it below a path of its site. */
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const BELOW = '/sim';

/** Passes on what is below the path, without the path, as `location /sim/ { proxy_pass http://platform/; }` of nginx does. */
async function proxyTo(platformUrl: string): Promise<{ url: string; strays: string[]; server: Server }> {
  const strays: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${BELOW}/`)) {
      strays.push(`${method} ${url}`);
      outgoing.writeHead(404).end();
      return;
    }
    const passed = ask(`${platformUrl}${url.slice(BELOW.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BELOW}`, strays, server };
}

test('behind a proxy with a path of its own, the page of all robots opens a robot in its room, and replay and manual open', async ({
  platform,
  robot,
  open,
}, info) => {
  const { url, strays, server } = await proxyTo(platform.viewerUrl);
  try {
    const { hash } = new URL(platform.makeRobotsUrl());
    const page = await open(`${url}/robots${hash}`);
    const name = info.title.slice(0, 60).trim();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: `Open ${name}` }).click();
    const tab = await opening;
    await expect(tab.getByTestId('state')).toHaveText('Ready');
    expect(tab.url()).toBe(`${url}/`);
    const program = await robot.join();
    await program.ready();
    const turned = await program.invoke('set_head', { yaw: 0.2 });
    expect(turned).toMatchObject({ status: 'done' });

    for (const name of ['robots.html', 'robots/']) expect((await page.request.get(`${url}/${name}`)).url()).toBe(`${url}/robots`);
    expect((await page.request.get(`${url}/manual`)).url()).toBe(`${url}/manual/`);
    await page.goto(`${url}/replay.html`);
    await expect(page.getByRole('button', { name: 'Open a proof' })).toBeVisible();
    await page.goto(`${url}/manual/`);
    await expect(page.getByRole('heading', { name: 'Manual', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'SimpleSim' }).click();
    await expect(page.getByRole('button', { name: 'Try it here' })).toBeVisible();
    // Before the server: a page may still load its icon.
    await page.context().close();
    expect(strays).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
