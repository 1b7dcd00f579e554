import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import { isOpened } from './page-address.ts';

/** A slower server counts as one without the file. */
const ANSWERS_WITHIN_MS = 10_000;
const SECOND_MS = 1_000;

/**
 * Fetches the text of a file without cookies or referrer, and reads no more than the largest allowed size.
 * @returns the text, or why it could not be read. Never rejects.
 */
export async function fetchFile(
  address: string,
  { ownOrigin, maxBytes, fetchFn = fetch }: { ownOrigin: string; maxBytes: number; fetchFn?: typeof fetch },
): Promise<{ ok: true; text: string } | { ok: false; problems: readonly SceneProblem[] }> {
  const refuse = (reason: string) => ({ ok: false as const, problems: [{ path: '', reason }] });
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  try {
    const answer = await fetchFn(address, { signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
    // The request may have been redirected.
    if (answer.url !== '' && !isOpened(new URL(answer.url), ownOrigin))
      return refuse('cannot be read: its address redirects to one without https.');
    if (!answer.ok) return refuse(`could not be fetched: its server answers with HTTP status ${answer.status}.`);
    const text = await boundedText(answer, maxBytes);
    return text === null ? refuse(`is larger than ${maxBytes} bytes; remove parts of it, or split it.`) : { ok: true, text };
  } catch {
    if (signal.aborted) return refuse(`could not be fetched within ${ANSWERS_WITHIN_MS / SECOND_MS} s.`);
    return refuse('could not be fetched. Check the address, and that its server allows other sites to read the file (CORS).');
  }
}

/** Returns the text of a response; null if it is too large. */
async function boundedText(answer: Response, maxBytes: number): Promise<string | null> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
