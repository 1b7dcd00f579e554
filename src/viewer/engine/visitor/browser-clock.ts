/** The clock of a page that shows a robot elsewhere, and its ids. */
export const BROWSER_CLOCK = {
  newId: () => crypto.randomUUID(),
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  isHidden: () => document.visibilityState === 'hidden',
  every(periodMs: number, task: () => void): () => void {
    const timer = setInterval(task, periodMs);
    return () => clearInterval(timer);
  },
};
