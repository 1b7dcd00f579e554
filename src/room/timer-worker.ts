/** A request to a worker's timers, which, unlike those of a hidden page, are not slowed down. */
export type TimerRequest = { kind: 'set'; id: number; delayMs: number; repeat: boolean } | { kind: 'clear'; id: number };
/** The id of the timer that is due. */
export type TimerDue = number;

interface WorkerScope {
  postMessage(message: TimerDue): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<TimerRequest>) => void): void;
}
const scope = self as unknown as WorkerScope;
const handles = new Map<number, { handle: ReturnType<typeof setTimeout>; repeat: boolean }>();

scope.addEventListener('message', ({ data }) => {
  switch (data.kind) {
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
