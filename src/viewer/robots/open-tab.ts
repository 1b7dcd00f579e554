/** How long a new tab may take to come to the front. */
const FRONT_WITHIN_MS = 1_500;

/** The page that opens tabs; `window` fits. */
export interface TabOpener {
  document: Pick<Document, 'hasFocus' | 'visibilityState'>;
  navigator: { userActivation?: { isActive: boolean } };
  open: (url: string, target: string, features: string) => unknown;
  setTimeout: (run: () => void, afterMs: number) => unknown;
}

/** `needs-press`: the press is too long ago, and the browser would block it; `unseen`: it may have been blocked, nobody is told. */
export type OpenedTab = 'opened' | 'needs-press' | 'unseen';

/**
 * Opens a link in a tab of its own, which knows nothing of this one and shares no process with it. So the browser does not say whether it
 * blocked the tab; what it does not say is guessed from whether another tab came to the front.
 */
export async function openTab(opener: TabOpener, url: string): Promise<OpenedTab> {
  if (opener.navigator.userActivation?.isActive === false) return 'needs-press';
  opener.open(url, '_blank', 'noopener,noreferrer');
  await new Promise<void>((resolve) => opener.setTimeout(resolve, FRONT_WITHIN_MS));
  const { document } = opener;
  return document.visibilityState === 'visible' && document.hasFocus() ? 'unseen' : 'opened';
}

/** Copies a text that is still being made: the browser is asked at the press, or it would forget the press meanwhile. */
export async function copyLater(clipboard: Clipboard | undefined, text: Promise<string>): Promise<void> {
  // What is not secure has no clipboard.
  if (clipboard === undefined) throw new Error('This page has no clipboard.');
  if (typeof ClipboardItem === 'undefined') return clipboard.writeText(await text);
  const blob = text.then((made) => new Blob([made], { type: 'text/plain' }));
  return clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
