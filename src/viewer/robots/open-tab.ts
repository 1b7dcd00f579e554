/** Longest time for a new tab to come to the front. */
const FRONT_WITHIN_MS = 1_500;

/** The page that opens tabs; `window` fits. */
export interface TabOpener {
  document: Pick<Document, 'hasFocus' | 'visibilityState'>;
  navigator: { userActivation?: { isActive: boolean } };
  open: (url: string, target: string, features: string) => unknown;
  setTimeout: (run: () => void, afterMs: number) => unknown;
}

/**
 * `needs-press`: the last press is too long ago, so the browser would block the tab; `unseen`: the tab may have been blocked,
 * which the browser does not report.
 */
export type OpenedTab = 'opened' | 'needs-press' | 'unseen';

/**
 * Opens a link in a new tab, which has no reference to this one and shares no process with it. The browser therefore does not
 * report whether it blocked the tab; the function infers that from whether another tab came to the front.
 */
export async function openTab(opener: TabOpener, url: string): Promise<OpenedTab> {
  if (opener.navigator.userActivation?.isActive === false) return 'needs-press';
  opener.open(url, '_blank', 'noopener,noreferrer');
  await new Promise<void>((resolve) => opener.setTimeout(resolve, FRONT_WITHIN_MS));
  const { document } = opener;
  return document.visibilityState === 'visible' && document.hasFocus() ? 'unseen' : 'opened';
}

/**
 * Copies a text that is still being created. The browser is asked at the moment of the press; later, the press would not count.
 */
export async function copyLater(clipboard: Clipboard | undefined, text: Promise<string>): Promise<void> {
  // Insecure pages have no clipboard.
  if (clipboard === undefined) throw new Error('This page has no clipboard.');
  if (typeof ClipboardItem === 'undefined') return clipboard.writeText(await text);
  const blob = text.then((made) => new Blob([made], { type: 'text/plain' }));
  return clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
