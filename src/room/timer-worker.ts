/** A request to a worker's timers, which, unlike those of a hidden page, are not slowed down. */
export type TimerRequest =
  | { kind: 'set'; id: number; delayMs: number; repeat: boolean }
  | { kind: 'clear'; id: number }
  /** Sends this text to this address as long as the page's main thread stands; null sends nothing any more. */
  | { kind: 'busy'; report: BusyReport | null };
export interface BusyReport {
  url: string;
  /** JSON */
  body: string;
  afterMs: number;
}
/** The id of the timer that is due. */
export type TimerDue = number;

interface WorkerScope {
  postMessage(message: TimerDue): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<TimerRequest>) => void): void;
}
const scope = self as unknown as WorkerScope;
const handles = new Map<number, { handle: ReturnType<typeof setTimeout>; repeat: boolean }>();

/** When the main thread was last heard: its timers are set again and again. */
let heardAtMs = 0;
let reporting: ReturnType<typeof setInterval> | undefined;

function reportWhenBusy({ url, body, afterMs }: BusyReport): void {
  reporting = setInterval(() => {
    if (performance.now() - heardAtMs < afterMs) return;
    const headers = { 'Content-Type': 'application/json' };
    void fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
  }, afterMs);
}

scope.addEventListener('message', ({ data }) => {
  heardAtMs = performance.now();
  switch (data.kind) {
    case 'busy': {
      clearInterval(reporting);
      if (data.report) reportWhenBusy(data.report);
      break;
    }
    case 'set': {
      const { id, delayMs, repeat } = data;
      const handle = repeat
        ? setInterval(() => scope.postMessage(id), delayMs)
        : setTimeout(() => {
            handles.delete(id);
            scope.postMessage(id);
          }, delayMs);
      handles.set(id, { handle, repeat });
      break;
    }
    case 'clear': {
      const timer = handles.get(data.id);
      if (timer?.repeat) clearInterval(timer.handle);
      else if (timer) clearTimeout(timer.handle);
      handles.delete(data.id);
      break;
    }
  }
});
