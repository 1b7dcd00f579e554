/** The current state of a part: `up`, or one word for its problem. */
export type PartState = string;

type PartLook = () => Promise<boolean | PartState>;

/** How long an answer is cached: `/healthz` needs no key, and each check queries the database and the SFU. */
const REMEMBER_MS = 1_000;

interface Answer {
  ok: boolean;
  parts: Record<string, PartState>;
}

/** Checks whether the platform's parts are up, on request, and at most once a second. */
export class Health {
  private readonly parts = new Map<string, PartLook>();
  private isReady = false;
  private looking: Promise<Answer> | null = null;
  private last: { atMs: number; answer: Answer } | null = null;
  private readonly nowMs: () => number;

  /** @param nowMs A monotonic clock. @default the process's own */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /**
   * Adds a part. If `look` throws, the part is down.
   * @param look returns its state, or whether it is up; it settles within seconds
   */
  add(name: string, look: PartLook): void {
    this.parts.set(name, look);
    this.forget();
  }

  /** Records that all parts have been added. */
  ready(): void {
    this.isReady = true;
    this.forget();
  }

  check(): Promise<Answer> {
    if (this.last !== null && this.nowMs() - this.last.atMs < REMEMBER_MS) return Promise.resolve(this.last.answer);
    if (this.looking !== null) return this.looking;
    const looking = this.look().then((answer) => {
      // A check that has already begun does not include later changes.
      if (this.looking === looking) {
        this.last = { atMs: this.nowMs(), answer };
        this.looking = null;
      }
      return answer;
    });
    this.looking = looking;
    return looking;
  }

  private forget(): void {
    this.last = null;
    this.looking = null;
  }

  private async look(): Promise<Answer> {
    const states = await Promise.all([...this.parts].map(async ([name, look]) => [name, await stateOf(look)] as const));
    const parts: Record<string, PartState> = Object.fromEntries(states);
    if (!this.isReady) parts.platform = 'starting';
    return { ok: Object.values(parts).every((state) => state === 'up'), parts };
  }
}

async function stateOf(look: PartLook): Promise<PartState> {
  try {
    const state = await look();
    if (typeof state === 'string') return state;
    return state ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
