/**
 * The page in which the tab's own camera workers run without a tab. It draws nothing itself: it starts and ends workers and passes
 * messages, JPEG bytes as base64.
 */
export const DRAWING_PAGE = `<!doctype html>
<meta charset="utf-8">
<title>SimpleSim draws here</title>
<script>
const workers = new Map();
const tell = (workerId, kind, message) => tellProcess(JSON.stringify({ workerId, kind, message }));

function base64Of(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

function openWorker(workerId, url) {
  const worker = new Worker(url, { type: 'module', name: 'cameras' });
  workers.set(workerId, worker);
  worker.onmessage = ({ data }) => {
    const { capture } = data;
    tell(workerId, 'message', capture ? { ...data, capture: { ...capture, jpeg: base64Of(capture.jpeg) } } : data);
  };
  worker.onerror = ({ message }) => tell(workerId, 'broken', message || 'the worker stopped');
}

const postTo = (workerId, message) => workers.get(workerId)?.postMessage(message);

function closeWorker(workerId) {
  workers.get(workerId)?.terminate();
  workers.delete(workerId);
}
</script>`;

/** Created by the process in the page: receives the messages of `tell`. */
export const BINDING = 'tellProcess';

/** The messages of the page: a message of a worker, or the failure of the worker. */
export type FromPage =
  | { workerId: number; kind: 'message'; message: object & { capture?: { jpeg: string } } }
  | { workerId: number; kind: 'broken'; message: string };
