import { SCENE_LIMITS } from '../../protocol/scene-limits.ts';
import { refusedScene, type SceneOutcome } from '../../protocol/scene-outcome.ts';
import { isOpened } from './page-address.ts';

/** A server that is slower is taken for one that has no scene. */
const ANSWERS_WITHIN_MS = 10_000;
const SECOND_MS = 1_000;

/**
 * Fetches the text of a scene file. It sends no cookies and no referrer, and reads no more than a scene may have.
 * @returns the text, or why there is none. Never rejects.
 */
export async function fetchScene(
  address: string,
  ownOrigin: string,
  fetchFn: typeof fetch = fetch,
): Promise<{ ok: true; text: string } | Extract<SceneOutcome, { ok: false }>> {
  const refuse = (reason: string) => refusedScene(reason) as Extract<SceneOutcome, { ok: false }>;
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  try {
    const answer = await fetchFn(address, { signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
    // It may have sent us on.
    if (answer.url !== '' && !isOpened(new URL(answer.url), ownOrigin))
      return refuse('is not read: its address leads to one without https.');
    if (!answer.ok) return refuse(`could not be fetched: its server answers with HTTP status ${answer.status}.`);
    const text = await boundedText(answer);
    return text === null
      ? refuse(`is larger than ${SCENE_LIMITS.bytes} bytes; leave things out, or make several scenes.`)
      : { ok: true, text };
  } catch {
    if (signal.aborted) return refuse(`could not be fetched within ${ANSWERS_WITHIN_MS / SECOND_MS} s.`);
    return refuse(
      'could not be fetched. Look whether the address is right, and whether its server lets other sites read it (CORS).',
    );
  }
}

/** Returns the text of an answer; null for one that is too large. */
async function boundedText(answer: Response): Promise<string | null> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > SCENE_LIMITS.bytes) {
      void reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
