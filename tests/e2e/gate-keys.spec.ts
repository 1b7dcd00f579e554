/** Every way a key comes to the gate: pasted anywhere, dropped, in a file, in JSON, as a QR code in a picture or before a camera. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { encodeQR } from 'qr';
import { BROWSER_ARGS, findBrowser } from '../../scripts/ensure-browser.ts';
import { EXAMPLE_KEY, EXAMPLE_SFU, EXAMPLE_TOKEN } from '../gallery/example-key.ts';
import { ended, inRoom } from '../gallery/states.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, type StillPage, test } from './support/still-page.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Room key' });
const problem = (page: Page) => page.locator('#gate').getByRole('alert');
const LINK = `http://robots.example/?key=${EXAMPLE_KEY}`;
/** The gate has handed these to its engine, as they were given; the engine is in the room then. */
async function taken({ calls, set }: StillPage, ...given: string[]): Promise<void> {
  await expect.poll(() => calls('connect')).toEqual(given.map((text) => ({ name: 'connect', args: [text] })));
  await set(inRoom());
}

interface Goods {
  text?: string;
  file?: { name: string; type: string; bytes: number[] };
}

/** Pastes or drops goods in a person's place, as the browser hands them to the page. */
async function send(page: Page, kind: 'paste' | 'dragenter' | 'drop', { text, file }: Goods): Promise<void> {
  await page.evaluate(
    ([kind, text, file]) => {
      const data = new DataTransfer();
      if (text !== undefined) data.setData('text/plain', text);
      if (file) data.items.add(new File([Uint8Array.from(file.bytes)], file.name, { type: file.type }));
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    },
    [kind, text, file] as const,
  );
}

/** A picture of a QR code as a browser draws it. */
const qrPicture = (page: Page, text: string): Promise<number[]> =>
  page.evaluate(
    async (rows) => {
      const scale = 6;
      const canvas = new OffscreenCanvas(rows.length * scale, rows.length * scale);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no 2d context');
      rows.forEach((row, y) => {
        row.forEach((dark, x) => {
          context.fillStyle = dark ? '#222' : '#ddd';
          context.fillRect(x * scale, y * scale, scale, scale);
        });
      });
      return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })).arrayBuffer())];
    },
    encodeQR(text, 'raw', { ecc: 'low', border: 4 }),
  );

test('the gate accepts a room key in every form, and explains what is wrong with any other text', async ({ still }) => {
  const gate = await still('gate');
  const { page } = gate;
  const link = LINK;
  await expect(field(page)).toBeFocused();
  await expectNoAxeFindings(page, 'the gate', ['light']);

  await test.step('a drag shows where to drop', async () => {
    await send(page, 'dragenter', { text: link });
    await expect(page.getByText(/^Drop it here/)).toBeVisible();
    await send(page, 'drop', { text: '{"livekit_url": "ws://127.0.0.1:1"}' });
    await expect(page.getByText(/^Drop it here/)).toBeHidden();
    await expect(problem(page)).toHaveText(/no room key in this JSON/);
  });
  await test.step('pictures and files without a key', async () => {
    const files: [Goods['file'], RegExp][] = [
      [{ name: 'a.png', type: 'image/png', bytes: [1, 2, 3] }, /cannot be opened/],
      [{ name: 'a.zip', type: 'application/zip', bytes: [80, 75, 3, 4, 0, 0] }, /neither text nor a picture/],
      [{ name: 'a.txt', type: 'text/plain', bytes: [...Buffer.from('Dear all')] }, /no room key in this file/],
      [{ name: 'a.jpg', type: 'image/jpeg', bytes: await qrPicture(page, 'https://elsewhere.example') }, /contains no room key/],
    ];
    for (const [file, sentence] of files) {
      await send(page, 'drop', file ? { file } : {});
      await expect(problem(page)).toHaveText(sentence);
    }
  });
  await test.step('a letter pasted beside the field', async () => {
    await field(page).blur();
    await send(page, 'paste', { text: `Hello,\nhere is your robot: ${link} .\nAnn` });
    await taken(gate, LINK);
    await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Leave the room' }).click();
    expect(await gate.calls('disconnect')).toHaveLength(1);
    await gate.set(ended('left'));
    await page.getByRole('button', { name: 'Enter a room key' }).click();
    await expect(field(page)).toHaveValue('');
  });
  await test.step('a picture of its QR code, dropped over an end that has a way back', async () => {
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'You left the room' })).toBeVisible();
    await page.getByRole('button', { name: 'Enter a room key' }).click();
    await send(page, 'drop', { file: { name: 'code.jpg', type: 'image/jpeg', bytes: await qrPicture(page, link) } });
    await taken(gate, LINK, LINK);
    await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  });
});

test('a file with the service’s answer opens the robot; for a phone the page shows the command to start', async ({ still }) => {
  const gate = await still('gate');
  const { page } = gate;
  // A platform for its own machine alone shows it.
  await page.route('**/lan', (route) => route.fulfill({ json: { lan: null } }));
  const answer = { livekit_url: EXAMPLE_SFU, participant_token: EXAMPLE_TOKEN };
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  await (await chooser).setFiles({
    name: 'answer.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(answer)),
  });
  await taken(gate, EXAMPLE_KEY);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Open on a phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open on a phone' });
  await expect(dialog.getByText(/becomes the robot: the scene starts again there, and this tab steps aside/)).toBeVisible();
  // A platform for its own machine alone: no code that cannot work, but what to start.
  await expect(dialog.getByText(/A phone cannot reach 127\.0\.0\.1/)).toBeVisible();
  await expect(dialog.getByText('npm start -- --lan', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Show the code' })).toBeHidden();
  expect(await page.content()).not.toContain(EXAMPLE_TOKEN.slice(-20));
  await expectNoAxeFindings(page, 'the dialog for phones', ['light']);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy the command' }).click();
  await expect(dialog.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start -- --lan');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a QR code before the camera is the key; without a camera, or the permission to use it, the gate shows the reason', async ({
  still,
  gallery,
}) => {
  const { page: refused } = await still('gate');
  await refused.getByRole('button', { name: 'Scan a QR code' }).click();
  const asked = refused.getByRole('dialog', { name: 'Scan a QR code' });
  await expect(asked.getByRole('status')).toHaveText(/There is no camera on this device|may not use the camera/);
  await expectNoAxeFindings(refused, 'the dialog without a camera', ['light']);
  await asked.getByRole('button', { name: 'Close' }).click();
  await expect(asked).toBeHidden();

  const folder = await mkdtemp(join(tmpdir(), 'simplesim-camera-'));
  const film = join(folder, 'code.y4m');
  await writeFile(film, filmOf(LINK));
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? '',
    args: [
      ...BROWSER_ARGS,
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const stream = await original(wanted);
        Object.assign(globalThis, { tracks: stream.getTracks() });
        return stream;
      };
    });
    await page.goto(`${gallery.url}?state=gate`);
    await page.getByRole('button', { name: 'Scan a QR code' }).click();
    const handed = () => page.evaluate(() => globalThis.still.calls.filter(({ name }) => name === 'connect'));
    await expect.poll(handed).toEqual([{ name: 'connect', args: [LINK] }]);
    const states = () =>
      page.evaluate(() => (globalThis as { tracks?: MediaStreamTrack[] }).tracks?.map((track) => track.readyState));
    expect(await states()).toEqual(['ended']);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
});

/** A film of one picture: the code of a text in the middle, in the format that Chromium takes for a camera. */
function filmOf(text: string): Buffer {
  const [width, height] = [640, 480];
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 });
  const scale = Math.floor(height / rows.length);
  const luma = Buffer.alloc(width * height, 200);
  const [left, top] = [Math.floor((width - rows.length * scale) / 2), Math.floor((height - rows.length * scale) / 2)];
  rows.forEach((row, y) => {
    row.forEach((dark, x) => {
      for (let line = 0; line < scale; line += 1) {
        const from = (top + y * scale + line) * width + left + x * scale;
        luma.fill(dark ? 30 : 235, from, from + scale);
      }
    });
  });
  const chroma = Buffer.alloc((width * height) / 2, 128);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`), luma, chroma]);
}
