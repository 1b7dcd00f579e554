/** Reports what a browser does with a hidden page. */
export interface PageLife {
  /** Whether the page is frozen, or kept aside for the back button. */
  isAway(): boolean;
  dispose(): void;
}

export interface PageLifeHandlers {
  /** The page is about to be frozen, closed or left. */
  onAway(kind: 'freeze' | 'pagehide'): void;
  /** The page runs again, or the network is back. */
  onBack(kind: 'resume' | 'pageshow' | 'online'): void;
}

/** Listens to freeze and resume (document), pagehide, pageshow and online (window). */
export function watchPageLife(handlers: PageLifeHandlers, page: { window: EventTarget; document: EventTarget }): PageLife {
  let away = false;
  const listening = new AbortController();
  const { signal } = listening;
  const leave = (kind: 'freeze' | 'pagehide') => () => {
    away = true;
    handlers.onAway(kind);
  };
  const comeBack = (kind: 'resume' | 'pageshow') => () => {
    if (!away) return;
    away = false;
    handlers.onBack(kind);
  };
  page.document.addEventListener('freeze', leave('freeze'), { signal });
  page.document.addEventListener('resume', comeBack('resume'), { signal });
  page.window.addEventListener('pagehide', leave('pagehide'), { signal });
  page.window.addEventListener('pageshow', comeBack('pageshow'), { signal });
  page.window.addEventListener('online', () => handlers.onBack('online'), { signal });
  return { isAway: () => away, dispose: () => listening.abort() };
}
