/** The state of a part at a moment: `up`, or a word for what it is instead. */
export type PartState = string;

type PartLook = () => Promise<boolean | PartState>;

/** How long an answer is remembered: anybody may ask, without a key, and each look asks the database and the SFU. */
const REMEMBER_MS = 1_000;

interface Answer {
  ok: boolean;
  parts: Record<string, PartState>;
}

/** Whether the platform's parts are up, looked at when asked, at most once a second. */
export class Health {
  private readonly parts = new Map<string, PartLook>();
  private isReady = false;
  private looking: Promise<Answer> | null = null;
  private last: { atMs: number; answer: Answer } | null = null;
  private readonly nowMs: () => number;

  /** @param nowMs A clock that is never set back. @default the process's own */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /** Adds a part; one that throws is down. @param look returns its state, or whether it is up; it settles within seconds */
  add(name: string, look: PartLook): void {
    this.parts.set(name, look);
    this.forget();
  }

  /** Notes that all parts have been added. */
  ready(): void {
    this.isReady = true;
    this.forget();
  }

  check(): Promise<Answer> {
    if (this.last !== null && this.nowMs() - this.last.atMs < REMEMBER_MS) return Promise.resolve(this.last.answer);
    if (this.looking !== null) return this.looking;
    const looking = this.look().then((answer) => {
      // A look that has begun does not know of later changes.
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
