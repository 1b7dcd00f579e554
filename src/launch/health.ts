/** What a part is at a moment: `up`, or in words what it is instead. */
export type PartState = string;

/** Whether the platform's parts are up, looked at when asked. */
export class Health {
  private readonly parts = new Map<string, () => Promise<boolean>>();
  private isReady = false;

  /** Adds a part; one that throws is down. */
  add(name: string, isUp: () => Promise<boolean>): void {
    this.parts.set(name, isUp);
  }

  /** Says that every part there will be has been added. */
  ready(): void {
    this.isReady = true;
  }

  async check(): Promise<{ ok: boolean; parts: Record<string, PartState> }> {
    const states = await Promise.all([...this.parts].map(async ([name, isUp]) => [name, await stateOf(isUp)] as const));
    const parts: Record<string, PartState> = Object.fromEntries(states);
    if (!this.isReady) parts.platform = 'starting';
    return { ok: Object.values(parts).every((state) => state === 'up'), parts };
  }
}

async function stateOf(isUp: () => Promise<boolean>): Promise<PartState> {
  try {
    return (await isUp()) ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
