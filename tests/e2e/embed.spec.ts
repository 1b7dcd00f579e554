/** The page inside of another site: by the element, by messages alone, and only as far as the frame's address allows. */
import type { Page } from '@playwright/test';
import { serveHostPage } from '../../examples/embed/serve.ts';
import { expect, test } from './support/fixtures.ts';
import { serveBody } from './support/serve-body.ts';

/** The element, as the tests use it. */
interface Element {
  ready: Promise<unknown>;
  roomKey: string | null;
  connect(key: string): Promise<unknown>;
  addEventListener(type: string, listen: (event: CustomEvent<{ code: string; message: string }>) => void): void;
  state: { phase: string; status: string; problem: string | null; robot: { id: string | null } | null; task?: object | null };
  call(method: string, payload?: object): Promise<unknown>;
  invoke(name: string, input?: object): Promise<{ status: string }>;
  stop(): Promise<unknown>;
  capture(options?: object): Promise<Blob>;
  getView(): Promise<{ view: string; eye: number[] }>;
  setView(view: object): Promise<unknown>;
  open(world: object): Promise<void>;
}
declare global {
  interface Window {
    robot: Element;
    said: { from: string; data: { type: string; id?: string; ok?: boolean; error?: { code: string; message: string } } }[];
  }
}

const HOST_HTML =
  '<!doctype html><title>host</title><link rel="icon" href="data:,"><script src="/simple-sim.js"></script><simple-sim></simple-sim>';

/** Every breach of the policy, in the page and its frames and workers, is written to the console by the browser too. */
async function noteViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (sentence: string) => violations.push(sentence));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const note = (window as unknown as { noteViolation: (sentence: string) => void }).noteViolation;
      note(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return violations;
}

test('the example: a strict host drives a robot in a frame by the element', async ({ platform, open, browser }) => {
  const host = await serveHostPage(platform.viewerUrl, 0);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await open('about:blank', context);
  const violations = await noteViolations(page);
  await page.goto(host.url);
  const frame = page.frameLocator('simple-sim iframe');

  await test.step('it is ready, looks light though the system is dark, and has nothing but what was asked for', async () => {
    await page.evaluate(async () => {
      window.robot = document.querySelector('simple-sim') as unknown as Element;
      await window.robot.ready;
    });
    await expect(frame.getByTestId('state')).toContainText('Ready');
    await expect(frame.getByRole('button', { name: 'Drive by hand' })).toBeVisible();
    await expect(frame.getByRole('complementary')).toHaveCount(0);
    const ground = await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(ground).toBe('rgb(236, 234, 240)');
  });

  await test.step('a skill runs and its end is an event', async () => {
    const done = await page.evaluate(() => window.robot.invoke('set_head', { yaw: 0.4 }));
    expect(done, JSON.stringify(done)).toMatchObject({ status: 'done' });
    await expect(page.locator('#log li')).toHaveText(['set_head: done']);
  });

  await test.step('stop ends a walk', async () => {
    await page.getByRole('button', { name: 'Walk to pad B' }).click();
    await expect(page.locator('#state')).toContainText('Walking to pad_B');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.locator('#log')).toContainText('go_to: cancelled');
  });

  await test.step('a picture comes as bytes', async () => {
    await page.getByRole('button', { name: 'Take a picture' }).click();
    const seen = page.locator('#seen');
    await expect.poll(() => seen.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(640);
  });

  await test.step('the view is read and moved', async () => {
    await expect(frame.locator('html')).toHaveAttribute('data-world');
    await page.evaluate(() => window.robot.setView({ eye: [3, 3, 2.2], target: [0, 0, 0.6] }));
    await expect.poll(() => page.evaluate(async () => (await window.robot.getView()).eye.map(Math.round))).toEqual([3, 3, 2]);
    await page.evaluate(() => window.robot.setView({ view: 'top' }));
    await expect.poll(() => page.evaluate(async () => (await window.robot.getView()).view)).toBe('top');
  });
  expect(violations).toEqual([]);
  await page.close();
  await context.close();
  await host.stop();
});

test('a key by message opens a robot where the site may frame it; what the address does not allow is refused in words', async ({
  platform,
  robot,
  open,
  browser,
  expectedProblems,
}) => {
  const query = new URLSearchParams({ embed: '1' });
  const stranger = await serveBody('');

  await test.step('no stranger may frame a page that can hold a key', async () => {
    expectedProblems.push(/frame-ancestors|Framing/);
    const answer = await fetch(`${platform.viewerUrl}/?${query}`);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    const page = await open(stranger.url);
    await page.setContent(`<iframe title="robot" src="${platform.viewerUrl}/?${query}"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await page.close();
  });

  await test.step('a host of the same site hands the key over and reads, and may not command', async () => {
    const context = await browser.newContext();
    await context.route('**/host', (route) => route.fulfill({ contentType: 'text/html', body: HOST_HTML }));
    const page = await open(`${platform.viewerUrl}/host`, context);
    const key = await robot.key();
    const facts = await page.evaluate(async (given) => {
      window.robot = document.querySelector('simple-sim') as unknown as Element;
      window.robot.roomKey = given;
      await window.robot.ready;
      const refused = async (asked: Promise<unknown>) =>
        asked.then(
          () => 'done',
          (error) => `${error.code}: ${error.message}`,
        );
      return {
        robotId: window.robot.state.robot?.id,
        addresses: [location.href, ...[...document.querySelectorAll('*')].map((each) => each.shadowRoot?.innerHTML ?? '')].join(),
        read: ((await window.robot.call('runtime.manifest')) as { product: string }).product,
        call: await refused(window.robot.invoke('set_head', { yaw: 0.4 })),
        stop: await refused(window.robot.stop()),
        view: await refused(window.robot.setView({ view: 'top' })),
      };
    }, key);
    expect(facts).toMatchObject({ robotId: robot.id, read: 'simplesim' });
    for (const word of ['call', 'stop', 'view'] as const)
      expect(facts[word]).toBe(`NOT_ALLOWED: The address of this frame does not allow it. Add ${word} to its parameter allow.`);
    expect(facts.addresses).not.toContain(key.slice(-24));
    await page.close();
    await context.close();
  });
  await stranger.stop();
});

test('a key that the room refuses is refused: by the promise, by the event and in the state', async ({
  platform,
  robot,
  open,
  browser,
  expectedProblems,
}) => {
  expectedProblems.push(/401/);
  const context = await browser.newContext();
  await context.route('**/host', (route) => route.fulfill({ contentType: 'text/html', body: HOST_HTML }));
  const page = await open(`${platform.viewerUrl}/host`, context);
  const key = await robot.key();
  const refusal = {
    code: 'KEY_REFUSED',
    message: expect.stringContaining('The server refuses this key'),
  };
  const facts = await page.evaluate(
    async ([good, changed]) => {
      const refused: { code: string; message: string }[] = [];
      window.robot = document.querySelector('simple-sim') as unknown as Element;
      window.robot.addEventListener('refused', ({ detail }) => refused.push({ code: detail.code, message: detail.message }));
      const tried = await window.robot.connect(changed).then(
        () => null,
        ({ code, message }: { code: string; message: string }) => ({ code, message }),
      );
      while (window.robot.state.phase !== 'ended')
        await new Promise((reported) => window.robot.addEventListener('state', reported));
      const { status, problem } = window.robot.state;
      await window.robot.connect(good);
      return { tried, refused, status, problem };
    },
    [key, `${key.slice(0, -6)}AAAAAA`] as const,
  );
  expect(facts).toEqual({ tried: refusal, refused: [refusal], status: 'Not in the room', problem: refusal.message });
  await page.close();
  await context.close();
});

test('the element reports a site that may not frame the viewer, and accepts a frame that answers late', async ({
  platform,
  open,
  expectedProblems,
}) => {
  expectedProblems.push(/frame-ancestors|Framing/);
  const stranger = await serveBody(
    `<script src="${platform.viewerUrl}/simple-sim.js"></script><simple-sim allow="stop"></simple-sim>`,
  );
  const page = await open('about:blank');
  await page.clock.install();
  await page.goto(stranger.url);
  await page.evaluate(() => {
    window.robot = document.querySelector('simple-sim') as unknown as Element;
    const say = (from: string) => (error: { code: string; message: string }) =>
      window.said.push({ from, data: { type: 'refused', error: { code: error.code, message: error.message } } });
    window.said = [];
    window.robot.addEventListener('refused', ({ detail }) => say('event')(detail));
    window.robot.connect('k1~a~b').catch(say('connect'));
    window.robot.stop().catch(say('stop'));
  });
  await page.clock.fastForward(30_000);
  await expect.poll(() => page.evaluate(() => window.said.map(({ from }) => from).sort())).toEqual(['connect', 'event', 'stop']);
  const [error] = await page.evaluate(() => window.said.map(({ data }) => data.error));
  expect(error).toEqual({
    code: 'NO_ANSWER',
    message: expect.stringContaining(`frame-ancestors: SIMPLESIM_FRAME_ANCESTORS there has to name ${stranger.origin}`),
  });
  const late = await page.evaluate(async () => {
    const later = await window.robot.stop().catch(({ code }: { code: string }) => code);
    const { shadowRoot } = document.querySelector('simple-sim') as HTMLElement;
    const frame = shadowRoot?.querySelector('iframe') as HTMLIFrameElement;
    const address = new URL(frame.src);
    address.searchParams.set('try', '1');
    frame.src = address.href;
    await window.robot.ready;
    return [later, await window.robot.stop()];
  });
  expect(late).toEqual(['NO_ANSWER', null]);
  await page.evaluate(() => window.said.splice(0));
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.robot.stop());
  expect(await page.evaluate(() => window.said), 'what a frame that has answered is blamed for').toEqual([]);
  await page.close();
  await stranger.stop();
});

test('what is asked of an element before it is in the page, or after it was taken out, waits until it is there', async ({
  platform,
  open,
}) => {
  const host = await serveBody(`<script src="${platform.viewerUrl}/simple-sim.js"></script>`);
  const page = await open(host.url);
  const stopped = await page.evaluate(async () => {
    const element = document.createElement('simple-sim');
    const robot = element as unknown as Element;
    element.setAttribute('try', '');
    element.setAttribute('allow', 'stop');
    const early = robot.stop();
    document.body.append(element);
    const first = await early;
    element.remove();
    const again = robot.stop();
    document.body.append(element);
    return [first, await again];
  });
  expect(stopped).toEqual([null, null]);
  await page.close();
  await host.stop();
});

test('scene, robot, seed and task are attributes and a message; without a height of its own the element has 320 pixels', async ({
  platform,
  open,
}) => {
  const host = await serveBody(
    `<script src="${platform.viewerUrl}/simple-sim.js"></script><simple-sim try scene="hall" robot="picker" seed="7" allow="call"></simple-sim>`,
  );
  const page = await open(host.url);
  /** The world of the frame, once it answers. */
  const world = () =>
    page.evaluate(async () => {
      const robot = document.querySelector('simple-sim') as unknown as Element;
      await robot.ready;
      const state = (await robot.call('runtime.state')) as { robot: { extra: { sim: { seed: number } } } };
      const layout = (await robot.call('runtime.scene_layout')) as { scene_id: string };
      return [layout.scene_id, state.robot.extra.sim.seed];
    });
  const frame = page.frameLocator('simple-sim iframe');
  expect(await page.locator('simple-sim').evaluate((element) => element.getBoundingClientRect().height)).toBe(320);
  expect(await world()).toEqual(['hall', 7]);
  await expect(frame.locator('html')).toHaveAttribute('data-simplesim', 'live');
  const unknown = await page.evaluate(async () => {
    const robot = document.querySelector('simple-sim') as unknown as Element;
    const refused = await robot.open({ scene: 'moon' }).catch((error: Error) => error.message);
    await robot.open({ task: 'warehouse-sort-five', seed: 3, robot: 'humanoid' });
    return refused;
  });
  expect(unknown).toContain('scene must be one of warehouse, hall');
  expect(await world()).toEqual(['warehouse', 3]);
  expect(await page.evaluate(() => (document.querySelector('simple-sim') as unknown as Element).state.task)).toMatchObject({
    id: 'warehouse-sort-five',
    seed: 3,
    outcome: null,
  });
  const types = await page.request.get(`${platform.viewerUrl}/simple-sim.d.ts`);
  expect(await types.text()).toContain("'simple-sim': SimpleSimElement");
  await page.close();
  await host.stop();
});

test('a host that is not named gets no answer, and messages that are not understood do nothing', async ({
  platform,
  open,
  expectedProblems,
}) => {
  // The browser reports a frame that greets a name that its host does not have.
  expectedProblems.push(/target origin provided/);
  const stranger = await serveBody('');
  const named = await serveBody('');
  const page = await open(stranger.url);
  const frameAddress = (origin: string) =>
    `${platform.viewerUrl}/?embed=1&try=1&allow=call,stop&origin=${encodeURIComponent(origin)}`;
  const listen = (src: string) =>
    page.evaluate((address) => {
      window.said = [];
      addEventListener('message', ({ origin, data }) => window.said.push({ from: origin, data }));
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.replaceChildren(frame);
    }, src);
  const post = (message: unknown) =>
    page.evaluate((data) => document.querySelector('iframe')?.contentWindow?.postMessage(data, '*'), message);

  await test.step('another origin is named', async () => {
    await listen(frameAddress(named.origin));
    await expect(page.frameLocator('iframe').getByTestId('state')).toContainText('Ready');
    await post({ simplesim: 1, type: 'hello', id: 'a' });
    await post({
      simplesim: 1,
      type: 'call',
      id: 'b',
      method: 'runtime.tools_call',
      payload: { name: 'set_head', input: { yaw: 1 } },
    });
    // The frame's own face shows what it does: it hears all that was posted before it looks away and back.
    await page.frames()[1]?.evaluate(() => new Promise((heard) => setTimeout(heard)));
    expect(await page.evaluate(() => window.said)).toEqual([]);
  });

  await test.step('named, it must greet first and keep the message format', async () => {
    await page.goto(named.url);
    await listen(frameAddress(named.origin));
    const reply = async (id: string) => {
      const found = await page.waitForFunction((wanted) => window.said.find(({ data }) => data.id === wanted)?.data, id);
      return found.jsonValue();
    };
    await page.waitForFunction(() => window.said.some(({ data }) => data.type === 'loaded'));
    await post('nonsense');
    await post({ simplesim: 1, type: 'stop' });
    await post({ simplesim: 1, type: 'stop', id: 'early' });
    expect(await reply('early')).toMatchObject({ ok: false, error: { code: 'NOT_GREETED' } });
    await post({ simplesim: 2, type: 'hello', id: 'new' });
    expect(await reply('new')).toMatchObject({ ok: false, error: { code: 'UNKNOWN_VERSION' } });
    await post({ simplesim: 1, type: 'hello', id: 'hello' });
    expect(await reply('hello')).toMatchObject({ ok: true });
    await post({ simplesim: 1, type: 'call', id: 'odd', method: 'runtime.explode' });
    expect(await reply('odd')).toMatchObject({ ok: false, error: { code: 'INVALID_MESSAGE' } });
    await post({ simplesim: 1, type: 'key', id: 'key', key: 'k1~a~b' });
    expect(await reply('key')).toMatchObject({ ok: false, error: { code: 'NOT_ALLOWED' } });
    await post({ simplesim: 1, type: 'stop', id: 'stop' });
    expect(await reply('stop')).toMatchObject({ ok: true });
    expect(await page.evaluate((origin) => window.said.every(({ from }) => from === origin), platform.viewerUrl)).toBe(true);
  });
  await page.close();
  await stranger.stop();
  await named.stop();
});
