/**
 * `<simple-sim>`: a robot in any page. Built into one file without imports, `/simple-sim.js`, for a plain script tag.
 * docs/reference/embed.md describes its attributes, methods and events.
 */
import type { FrameMessage, FramePicture, FrameState, FrameView, HostMessage, NewWorld, SimpleSimElement } from './wire.ts';

/** Attributes that are passed to the frame's address. */
const PASSED = ['try', 'panels', 'theme', 'view', 'allow', 'scene', 'robot', 'seed', 'task'] as const;
/** Browser features that the frame may use. */
const POWERS = 'gamepad; camera; clipboard-read; clipboard-write; fullscreen';

/**
 * If a frame sends nothing for this long after it has loaded, it shows the browser's error page. The page itself sends its first
 * message within 2 s at 10 Mbit/s, and a slow connection may take ten times as long.
 */
const SILENT_AFTER_MS = 20_000;

/** If the host element has no height of its own, the frame has its intrinsic height. */
const FRAME_STYLE = {
  display: 'block',
  width: '100%',
  height: '100%',
  border: '0',
  contain: 'size',
  containIntrinsicSize: 'auto none auto 320px',
};

/** The viewer is served from the address of this script. */
const scriptUrl = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

/** An error from the frame, with its code; docs/reference/embed.md lists the codes. */
class SimpleSimError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'SimpleSimError';
    this.code = code;
  }
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

class SimpleSim extends HTMLElement implements SimpleSimElement {
  static readonly observedAttributes = ['src', ...PASSED];

  /** The robot's activity; null before the frame has answered. */
  state: FrameState | null = null;
  /** Resolves when the robot answers calls. */
  ready: Promise<SimpleSim>;
  private postReady: (element: SimpleSim) => void = () => undefined;
  private frame: HTMLIFrameElement | null = null;
  private viewerOrigin = '';
  private lastId = 0;
  private greeted = false;
  private key: string | null = null;
  private due = false;
  private readonly waiting = new Map<string, Waiting>();
  /** Requests that wait for the frame's greeting: each can be sent or rejected. */
  private later: { send: () => void; reject: (error: Error) => void }[] = [];
  private timer = 0;
  /** Why the frame counts as unresponsive; null while it may still answer. */
  private silence: SimpleSimError | null = null;

  constructor() {
    super();
    this.ready = this.promise();
    this.attachShadow({ mode: 'open' });
  }

  connectedCallback(): void {
    // A page that sets another `display` keeps it.
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    addEventListener('message', this.hear);
    this.openFrame();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.hear);
    this.close('The element was taken out of the page.');
  }

  attributeChangedCallback(): void {
    if (!this.frame || this.due) return;
    // Several attributes set in a row cause only one new frame.
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      if (this.isConnected) this.openFrame();
    });
  }

  /** A room key, or a link that contains one. It is sent to the frame as a message and appears in no address. */
  set roomKey(key: string | null) {
    this.key = key;
    if (key !== null && this.greeted) this.hand(key).catch(() => undefined);
  }

  /** Passes a room key to the frame. Resolves when the frame is in the room; rejects with a sentence when it cannot enter. */
  connect(key: string): Promise<unknown> {
    this.key = null;
    return this.hand(key);
  }

  private async hand(key: string): Promise<unknown> {
    try {
      return await this.ask('key', { key });
    } catch (error) {
      // A frame that is closed or does not answer has not rejected the key.
      if (!['CLOSED', 'NO_ANSWER'].includes((error as SimpleSimError).code)) this.report('refused', error);
      throw error;
    }
  }

  /** Calls a method of the runtime, such as `runtime.state`. Resolves with its reply, including rejections by the robot. */
  call(method: string, payload: object = {}): Promise<unknown> {
    return this.ask('call', { method, payload });
  }

  /** Calls a skill, such as `go_to`. Resolves when it has ended. */
  invoke(name: string, input: object = {}, options?: object): Promise<unknown> {
    return this.call('runtime.tools_call', { name, input, ...(options ? { options } : {}) });
  }

  /** Stops all actions of the robot. */
  stop(): Promise<unknown> {
    return this.ask('stop');
  }

  /**
   * Takes a picture with one of the robot's cameras. @param options `camera`: `pov`, or a fixed camera of the scene, such as
   * `topdown`; `width`, `height` in pixels
   */
  async capture(options: { camera?: string; width?: number; height?: number } = {}): Promise<Blob> {
    const picture = (await this.ask('capture', options)) as FramePicture;
    return new Blob([picture.bytes], { type: picture.media_type });
  }

  /** Opens a new world for a robot of the frame alone (`try`). Resolves when the frame begins to load it. */
  async open(world: NewWorld): Promise<void> {
    await this.ask('open', world);
    // Requests from here on wait for the frame's next greeting.
    this.greeted = false;
    this.ready = this.promise();
  }

  /** Returns the pose of the person's view. */
  getView(): Promise<FrameView> {
    return this.ask('get_view') as Promise<FrameView>;
  }

  /** Moves the person's view: another kind of view, following or not, or an eye and the point it looks at. */
  setView(view: Partial<FrameView>): Promise<unknown> {
    return this.ask('set_view', view);
  }

  private promise(): Promise<SimpleSim> {
    return new Promise((resolve) => {
      this.postReady = resolve;
    });
  }

  private openFrame(): void {
    this.close('The frame was opened again.');
    const url = new URL(this.getAttribute('src') ?? './', scriptUrl);
    this.viewerOrigin = url.origin;
    url.searchParams.set('embed', '1');
    url.searchParams.set('origin', location.origin);
    for (const name of PASSED) {
      const value = this.getAttribute(name);
      if (value !== null) url.searchParams.set(name, name === 'try' ? '1' : value);
    }
    const frame = document.createElement('iframe');
    frame.src = url.href;
    frame.allow = POWERS;
    frame.title = this.getAttribute('title') ?? 'SimpleSim robot';
    frame.referrerPolicy = 'no-referrer';
    Object.assign(frame.style, FRAME_STYLE);
    frame.addEventListener('load', () => {
      clearTimeout(this.timer);
      if (!this.greeted) this.timer = setTimeout(() => this.giveUp(url.origin), SILENT_AFTER_MS);
    });
    this.frame = frame;
    this.shadowRoot?.replaceChildren(frame);
  }

  private close(why: string): void {
    clearTimeout(this.timer);
    const closed = new SimpleSimError('CLOSED', why);
    // Requests from before there was a frame wait for the first one.
    const later = this.frame ? this.later.splice(0) : [];
    for (const { reject } of [...this.waiting.values(), ...later]) reject(closed);
    this.waiting.clear();
    this.silence = null;
    this.greeted = false;
    this.state = null;
    this.frame?.remove();
    this.frame = null;
  }

  /** Rejects waiting requests. The browser does not report why a frame stays empty, only that it has loaded something. */
  private giveUp(viewer: string): void {
    this.silence = new SimpleSimError(
      'NO_ANSWER',
      `The frame does not answer. Either no viewer runs at ${viewer}, or its server does not let this site frame it (frame-ancestors: SIMPLESIM_FRAME_ANCESTORS there has to name ${location.origin}).`,
    );
    for (const { reject } of this.later.splice(0)) reject(this.silence);
    this.report('refused', this.silence);
  }

  private ask(type: HostMessage['type'], fields: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const send = () => {
        this.lastId += 1;
        const id = String(this.lastId);
        this.waiting.set(id, { resolve, reject });
        try {
          this.frame?.contentWindow?.postMessage({ simplesim: 1, type, id, ...fields }, this.viewerOrigin);
        } catch {
          this.waiting.delete(id);
          reject(
            new SimpleSimError(
              'INVALID_MESSAGE',
              'It contains a function, a symbol or a part of the page, which cannot be sent in a message.',
            ),
          );
        }
      };
      if (this.greeted || type === 'hello') send();
      else if (this.silence) reject(this.silence);
      else this.later.push({ send, reject });
    });
  }

  private readonly hear = ({ source, origin, data }: MessageEvent): void => {
    if (!this.frame || source !== this.frame.contentWindow || origin !== this.viewerOrigin) return;
    if (typeof data !== 'object' || data === null || data.simplesim !== 1) return;
    this.take(data as FrameMessage);
  };

  private take(message: FrameMessage): void {
    switch (message.type) {
      case 'loaded':
        // A reloaded frame starts again.
        this.ask('hello').then(
          (welcome) => this.enter(welcome as { state: FrameState }),
          () => undefined,
        );
        return;
      case 'ready':
        this.take({ simplesim: 1, type: 'state', state: message.state });
        this.postReady(this);
        this.report('ready', message.state);
        return;
      case 'state':
        this.state = message.state;
        this.report('state', message.state);
        return;
      case 'action':
        this.report('action', message.action);
        return;
      case 'reply': {
        const asked = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.ok) asked?.resolve(message.value);
        else asked?.reject(new SimpleSimError(message.error.code, message.error.message));
      }
    }
  }

  private enter(welcome: { state: FrameState }): void {
    clearTimeout(this.timer);
    this.greeted = true;
    this.silence = null;
    this.state = welcome.state;
    this.report('state', welcome.state);
    if (this.key !== null) this.hand(this.key).catch(() => undefined);
    for (const { send } of this.later.splice(0)) send();
  }

  private report(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

customElements.define('simple-sim', SimpleSim);

export type { SimpleSim, SimpleSimError };
