import { decodeQR } from 'qr/decode.js';

/** The part of the Shape Detection API that is used; TypeScript has no types for it yet. */
interface NativeDetector {
  detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
}
interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** A camera soon supplies the next picture; a file has only one. */
export type Effort = 'quick' | 'thorough';

/** Longest sides at which the picture is searched, pixels: photographs read best when small, dense codes when large. */
const SIDES_PX: Record<Effort, readonly number[]> = { quick: [960], thorough: [1_600, 800, 3_200] };
const RETRIES_MS: Record<Effort, number> = { quick: 60, thorough: 800 };

let native: Promise<NativeDetector | null> | null = null;

async function openNative(): Promise<NativeDetector | null> {
  const detector = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector;
  try {
    if (!detector || !(await detector.getSupportedFormats()).includes('qr_code')) return null;
    return new detector({ formats: ['qr_code'] });
  } catch {
    return null;
  }
}

/** Reads the QR code in a picture, by the browser if possible, otherwise by our own decoder. @returns null if none is found */
export async function readQrCode(picture: HTMLVideoElement | ImageBitmap, effort: Effort): Promise<string | null> {
  native ??= openNative();
  const detector = await native;
  const found = await detector?.detect(picture).catch(() => []);
  const text = found?.find(({ rawValue }) => rawValue !== '')?.rawValue;
  return text ?? decode(picture, effort);
}

function decode(picture: HTMLVideoElement | ImageBitmap, effort: Effort): string | null {
  const [widthPx, heightPx] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  if (widthPx === 0 || heightPx === 0) return null;
  for (const sidePx of SIDES_PX[effort]) {
    const scale = Math.min(1, sidePx / Math.max(widthPx, heightPx));
    const text = decodeAt(picture, Math.round(widthPx * scale), Math.round(heightPx * scale), RETRIES_MS[effort]);
    if (text !== null) return text;
  }
  return null;
}

function decodeAt(picture: CanvasImageSource, width: number, height: number, timeLimit: number): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  // A transparent picture of a code gets a white background.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  try {
    return decodeQR(context.getImageData(0, 0, width, height), { timeLimit });
  } catch {
    return null;
  }
}
