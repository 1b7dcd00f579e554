/** How pictures are compared with those kept in `snapshots/`. */
import type { Page } from '@playwright/test';

/** Its row of cubes is the one in the pictures. */
export const SEED = 1;
export const CAPTURE = { width: 960, height: 540, quality: 1 };
/** Pictures are compared at a grain: each of its pixels is the mean of so many by so many. What the cameras send is as sharp always. */
export const CAPTURE_GRAIN_PX = 2;
/** How many grains may differ by more than a shade. One cube on the belt is nine of the ceiling's. */
export const CAPTURE_TOLERANCE = { threshold: 0.15, maxDiffPixels: 5 };

/** A picture as PNG at a grain; the browser decodes and scales it. */
export async function coarse(page: Page, picture: Buffer, type: string, grainSidePx: number): Promise<Buffer> {
  const png = await page.evaluate(
    async ({ base64, mime, grainPx }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const whole = await createImageBitmap(new Blob([bytes], { type: mime }));
      const [width, height] = [Math.floor(whole.width / grainPx), Math.floor(whole.height / grainPx)];
      const source = new OffscreenCanvas(whole.width, whole.height).getContext('2d');
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!source || !context) throw new Error('no canvas');
      source.drawImage(whole, 0, 0);
      const { data } = source.getImageData(0, 0, whole.width, whole.height);
      const small = context.createImageData(width, height);
      const means = new Float64Array(small.data.length);
      for (let y = 0; y < height * grainPx; y += 1)
        for (let x = 0; x < width * grainPx; x += 1)
          for (let channel = 0; channel < 4; channel += 1) {
            const grain = (Math.floor(y / grainPx) * width + Math.floor(x / grainPx)) * 4 + channel;
            means[grain] = (means[grain] ?? 0) + (data[(y * whole.width + x) * 4 + channel] ?? 0) / grainPx ** 2;
          }
      small.data.set(means.map(Math.round));
      context.putImageData(small, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
    },
    { base64: picture.toString('base64'), mime: type, grainPx: grainSidePx },
  );
  return Buffer.from(png, 'base64');
}
