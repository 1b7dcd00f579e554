import type { HostPort } from './bridge.ts';

/** The window around this one. */
export function hostPort(view: Window): HostPort {
  const host = view.parent === view ? null : view.parent;
  return {
    post: (message, origin, transfer = []) => host?.postMessage(message, origin, transfer),
    listen(listener) {
      const hear = (event: MessageEvent<unknown>) => listener(event.data, event.origin, host !== null && event.source === host);
      view.addEventListener('message', hear);
      return () => view.removeEventListener('message', hear);
    },
    after(delayMs, task) {
      const timer = setTimeout(task, delayMs);
      return () => clearTimeout(timer);
    },
    ancestor: view.location.ancestorOrigins?.[0] ?? null,
  };
}
