import type { HostPort } from './bridge.ts';

/** Returns the port to the window around this one. */
export function hostPort(view: Window): HostPort {
  const host = view.parent === view ? null : view.parent;
  return {
    post: (message, origin, transfer = []) => host?.postMessage(message, origin, transfer),
    listen(listener) {
      const hear = (event: MessageEvent<unknown>) => {
        const isFromHost = host !== null && event.source === host;
        // Reading the data unpacks it first, at the cost of this page, and any window of any site may send any amount.
        listener(() => event.data, event.origin, isFromHost);
      };
      view.addEventListener('message', hear);
      return () => view.removeEventListener('message', hear);
    },
    after(delayMs, task) {
      const timer = setTimeout(task, delayMs);
      return () => clearTimeout(timer);
    },
    reopen(params) {
      const url = new URL(view.location.href);
      for (const [name, value] of Object.entries(params)) {
        if (value === null) url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      }
      view.location.replace(url);
    },
    async knowsTask(id) {
      const { taskById } = await import('../engine/tasks/task-list.ts');
      return taskById(id) !== null;
    },
    // biome-ignore lint/suspicious/noConsole: developers of the surrounding page read the console.
    warn: (sentence) => console.warn(sentence),
    ancestor: view.location.ancestorOrigins?.[0] ?? null,
  };
}
