import type { FromWorker, ToWorker } from '../../cameras/messages.ts';
import type { WorkerLike } from '../../cameras/worker-link.ts';
import { NO_BROWSER } from '../../protocol/texts/headless-texts.ts';
import { atMost } from '../../worker/robot/wait.ts';
import { type BrowserProcess, startBrowserProcess } from './browser-process.ts';
import { BINDING, type FromPage } from './drawing-page.ts';
import { findBrowser } from './find-browser.ts';
import { type PictureFiles, servePictureFiles } from './picture-files.ts';

/** Camera workers in a browser of this process, which is started with the first and again when it broke. */
export interface DrawingBrowser {
  /** A worker as `new Worker` returns one: it accepts messages at once. */
  openWorker(): WorkerLike;
  /** Ends the browser. Settles when its process is gone. */
  close(): Promise<void>;
  /** Of the browser that runs; null when none does. */
  pid(): number | null;
}

export interface DrawingBrowserOptions {
  /** The folder of the built page, whose camera worker draws. */
  distDir: string;
  /** @default the one that is named or installed */
  findBrowser?: () => string | null;
}

/** A browser with its page open. */
interface Drawing {
  process: BrowserProcess;
  sessionId: string;
  workers: Map<number, WorkerLike>;
}

const START_MAX_MS = 25_000;
/** The page only passes messages; a page that is silent for longer hangs. */
const ANSWER_MAX_MS = 5_000;
const CLOSE_MAX_MS = 2_000;

export function createDrawingBrowser(options: DrawingBrowserOptions): DrawingBrowser {
  const find = options.findBrowser ?? findBrowser;
  let files: Promise<PictureFiles> | null = null;
  let current: Drawing | null = null;
  /** One start, or one look at whether it still answers, serves all who ask meanwhile. */
  let opening: Promise<Drawing> | null = null;
  let workerCount = 0;
  let isClosed = false;

  function drawing(): Promise<Drawing> {
    opening ??= findOrStart().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function findOrStart(): Promise<Drawing> {
    if (current !== null) {
      if (await within(ANSWER_MAX_MS, evaluate(current, '1'))) return current;
      current?.process.kill();
      await current?.process.over;
    }
    const file = find();
    if (file === null) throw new Error(NO_BROWSER);
    files ??= servePictureFiles(options.distDir);
    const { url } = await files;
    if (isClosed) throw new Error(CLOSED);
    const process = startBrowserProcess(file);
    const started: Drawing = { process, sessionId: '', workers: new Map() };
    current = started;
    void process.over.then((why) => {
      if (current === started) current = null;
      for (const worker of started.workers.values()) worker.onerror?.({ message: why });
      started.workers.clear();
    });
    process.onEvent(({ method, params }) => {
      if (method === 'Runtime.bindingCalled' && params.name === BINDING) hear(started, JSON.parse(params.payload));
      else if (method === 'Inspector.targetCrashed') process.kill();
    });
    try {
      const page = await atMost(
        openPage(started, url).then(() => started),
        START_MAX_MS,
      );
      if (page === null) throw new Error(NOT_STARTED);
      return page;
    } catch (thrown) {
      process.kill();
      throw thrown;
    }
  }

  async function openPage(started: Drawing, url: string): Promise<void> {
    const { process } = started;
    const { targetId } = await process.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await process.send('Target.attachToTarget', { targetId, flatten: true });
    started.sessionId = sessionId;
    await process.send('Inspector.enable', {}, sessionId);
    await process.send('Runtime.enable', {}, sessionId);
    await process.send('Runtime.addBinding', { name: BINDING }, sessionId);
    await process.send('Page.enable', {}, sessionId);
    const loaded = new Promise<void>((resolve) => {
      process.onEvent(({ method }) => method === 'Page.loadEventFired' && resolve());
    });
    await process.send('Page.navigate', { url }, sessionId);
    await loaded;
  }

  function hear({ workers }: Drawing, said: FromPage): void {
    const worker = workers.get(said.workerId);
    if (said.kind === 'broken') {
      worker?.onerror?.({ message: said.message });
      return;
    }
    const { capture } = said.message;
    const data = capture
      ? { ...said.message, capture: { ...capture, jpeg: new Uint8Array(Buffer.from(capture.jpeg, 'base64')) } }
      : said.message;
    worker?.onmessage?.({ data: data as FromWorker });
  }

  function openWorker(): WorkerLike {
    workerCount += 1;
    const workerId = workerCount;
    const early: ToWorker[] = [];
    let place: Drawing | null = null;
    let isTerminated = false;
    let failure: string | null = null;

    function fail({ id }: ToWorker, reason: string): void {
      worker.onmessage?.({ data: { type: 'failed', id, reason } });
    }

    const worker: WorkerLike = {
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      postMessage(message) {
        const reason = failure;
        if (reason !== null) queueMicrotask(() => fail(message, reason));
        else if (place === null) early.push(message);
        else post(place, workerId, message);
      },
      terminate() {
        isTerminated = true;
        if (place === null) return;
        place.workers.delete(workerId);
        evaluate(place, `closeWorker(${workerId})`).catch(() => undefined);
      },
    };

    async function open(): Promise<void> {
      const opened = await drawing();
      if (isTerminated) return;
      const url = await (await files)?.workerUrl();
      opened.workers.set(workerId, worker);
      await evaluate(opened, `openWorker(${workerId}, ${JSON.stringify(url)})`);
      place = opened;
      if (isTerminated) worker.terminate();
      for (const message of early.splice(0)) post(opened, workerId, message);
    }
    open().catch((thrown: unknown) => {
      failure = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
      for (const message of early.splice(0)) fail(message, failure);
    });
    return worker;
  }

  return {
    openWorker,
    pid: () => current?.process.pid ?? null,
    async close() {
      isClosed = true;
      await opening?.catch(() => undefined);
      const last = current;
      if (last !== null) {
        await within(CLOSE_MAX_MS, last.process.send('Browser.close'));
        last.process.kill();
        await last.process.over;
      }
      (await files?.catch(() => null))?.close();
    },
  };
}

const CLOSED = 'the cameras are closed';
const NOT_STARTED = `the browser did not start within ${START_MAX_MS / 1_000} s; the machine may have too much to do`;

function post(place: Drawing, workerId: number, message: ToWorker): void {
  // The end of a browser is reported to all of its workers.
  evaluate(place, `postTo(${workerId}, ${JSON.stringify(message)})`).catch(() => undefined);
}

/** @throws Error with what the page threw, or when the browser is gone */
async function evaluate({ process, sessionId }: Drawing, expression: string): Promise<void> {
  const { exceptionDetails } = await process.send('Runtime.evaluate', { expression }, sessionId);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

/** Whether something comes about in time. */
async function within(maxMs: number, done: Promise<unknown>): Promise<boolean> {
  const isDone = done.then(
    () => true,
    () => false,
  );
  return (await atMost(isDone, maxMs)) ?? false;
}
