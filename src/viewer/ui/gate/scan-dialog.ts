import { readQrCode } from './qr-reader.ts';

/** How often a camera picture is searched. */
const LOOK_EVERY_MS = 150;

const NO_CAMERA = 'There is no camera on this device. Paste the link, or open a picture of the code.';
/** Why a camera does not start, by the name of the browser's error. */
const CAMERA_PROBLEMS: Record<string, string> = {
  NotAllowedError: 'This page may not use the camera. Allow it next to the address of the page, or paste the link instead.',
  NotFoundError: NO_CAMERA,
  OverconstrainedError: NO_CAMERA,
  NotReadableError: 'The camera does not start; another program may be using it. Close that one, or paste the link instead.',
};
const CAMERA_FAILED = 'The camera does not start. Paste the link, or open a picture of the code.';
const CAMERA_WITHHELD =
  'Browsers give a page the camera only over https, or on the machine that serves it. Paste the link, or open a picture of the code.';

/**
 * Shows the picture of a camera until it has read a QR code that is a key. The camera is off again when this resolves.
 * @param problemWith returns a sentence when a text is not a key; the scanning then continues
 * @returns the text, or null when the person has closed the dialog
 */
export async function scanQrCode(page: Document, problemWith: (text: string) => string | null): Promise<string | null> {
  const { dialog, video, textElement } = drawDialog(page);
  let open = true;
  let stream: MediaStream | null = null;
  const turnOff = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    video.srcObject = null;
  };
  const closed = new Promise<void>((resolve) => {
    dialog.addEventListener('close', () => {
      open = false;
      turnOff();
      dialog.remove();
      resolve();
    });
  });
  // A page that is unloaded turns the camera light off.
  page.defaultView?.addEventListener('pagehide', () => dialog.close(), { once: true });
  dialog.showModal();

  const started = await startCamera();
  if ('problem' in started) {
    dialog.dataset.state = 'failed';
    textElement.textContent = started.problem;
    await closed;
    return null;
  }
  stream = started.stream;
  // The dialog was closed while the browser asked for permission.
  if (!open) {
    turnOff();
    return null;
  }
  video.srcObject = stream;
  await video.play().catch(() => undefined);
  dialog.dataset.state = 'looking';
  textElement.textContent = 'Hold the QR code of a robot’s link in front of the camera.';
  while (open) {
    const text = await readQrCode(video, 'quick');
    const problem = text === null ? null : problemWith(text);
    if (open && text !== null && problem === null) {
      dialog.close();
      await closed;
      return text;
    }
    if (problem !== null) textElement.textContent = problem;
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))]);
  }
  return null;
}

async function startCamera(): Promise<{ stream: MediaStream } | { problem: string }> {
  if (!('mediaDevices' in navigator)) return { problem: CAMERA_WITHHELD };
  try {
    const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
    return { stream: await navigator.mediaDevices.getUserMedia({ video, audio: false }) };
  } catch (error) {
    return { problem: CAMERA_PROBLEMS[error instanceof DOMException ? error.name : ''] ?? CAMERA_FAILED };
  }
}

function drawDialog(page: Document): { dialog: HTMLDialogElement; video: HTMLVideoElement; textElement: HTMLElement } {
  const dialog = page.createElement('dialog');
  dialog.className = 'scan';
  dialog.dataset.state = 'waiting';
  dialog.setAttribute('aria-labelledby', 'scan-title');
  const title = page.createElement('h2');
  title.id = 'scan-title';
  title.textContent = 'Scan a QR code';
  const video = page.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.setAttribute('aria-label', 'What the camera sees');
  const frame = page.createElement('div');
  frame.className = 'scan-frame';
  frame.append(video);
  const textElement = page.createElement('p');
  textElement.className = 'scan-words';
  textElement.setAttribute('role', 'status');
  textElement.textContent = 'Waiting for the camera. The browser may ask you for permission.';
  const close = page.createElement('button');
  close.type = 'button';
  close.className = 'gate-submit';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.append(title, frame, textElement, close);
  page.body.append(dialog);
  return { dialog, video, textElement };
}
