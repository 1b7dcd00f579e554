import { isRecord } from '../../common/schema-texts.ts';
import { ROBOTS_OPEN_PATH } from '../../protocol/service/robots-page.ts';
import { type fetchOwn, postOwn } from '../engine/own-server.ts';

/** The page around the code; `window` fits. */
interface CodePage {
  location: { readonly href: string };
  history: Pick<History, 'state' | 'replaceState'>;
}

const CODE = /^#open=([\w-]{1,128})$/;

/** Takes the one-time code out of the address bar and the history. Call it first in the page. @returns null without one */
export function takeOpenCode({ location, history }: CodePage): string | null {
  const url = new URL(location.href);
  if (url.hash === '') return null;
  const code = CODE.exec(url.hash)?.[1] ?? null;
  // Any other fragment, for example a key, is removed too.
  url.hash = '';
  history.replaceState(history.state, '', url.href.replace(/#$/, ''));
  return code;
}

export const CODE_ENDED =
  'This link has been used, or is older than 10 minutes. Paste an API key instead: that of `npm start` is `api_key` in `.simplesim/local.json`. A restart of the platform prints a new link.';

/** Exchanges a one-time code for a key. @returns null if the platform rejects the code; never rejects */
export async function exchangeCode(code: string, send: typeof fetchOwn): Promise<string | null> {
  try {
    const response = await postOwn(ROBOTS_OPEN_PATH, { code }, { credentials: 'omit', redirect: 'error' }, send);
    const answer: unknown = await response.json();
    return response.ok && isRecord(answer) && typeof answer.api_key === 'string' ? answer.api_key : null;
  } catch {
    return null;
  }
}
