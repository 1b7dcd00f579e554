/** A file's content that may be a key, or a sentence on why it contains no key. */
export type FileText = { ok: true; text: string; by: 'file' | 'qr' } | { ok: false; problem: string };

/** More than any key, link or reply of a service. */
const TEXT_MAX_BYTES = 262_144;
const PICTURE_MAX_BYTES = 33_554_432;

const problem = (sentence: string): FileText => ({ ok: false, problem: sentence });

/** Reads a text file, or the QR code in a picture. Never rejects. */
export async function readFile(file: File): Promise<FileText> {
  try {
    return file.type.startsWith('image/') ? await readPicture(file) : await readText(file);
  } catch {
    return problem('This file cannot be read. Use a text file that holds the key, or a picture of its QR code.');
  }
}

async function readText(file: File): Promise<FileText> {
  if (file.size > TEXT_MAX_BYTES) return problem('This file is too large to be a room key. Use a text file that holds the key.');
  const text = await file.text();
  if (/[\0\ufffd]/.test(text)) return problem('This file is neither text nor a picture. Use a text file that holds the key.');
  return { ok: true, text, by: 'file' };
}

async function readPicture(file: File): Promise<FileText> {
  if (file.size > PICTURE_MAX_BYTES) return problem('This picture is too large. Crop it to the QR code, or paste the link.');
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return problem('This picture cannot be opened. PNG, JPEG and WebP work.');
  const { readQrCode } = await import('./qr-reader.ts');
  const text = await readQrCode(picture, 'thorough');
  picture.close();
  if (text === null) return problem('No QR code was found in this picture. Use a sharper one, or paste the link.');
  return { ok: true, text, by: 'qr' };
}
