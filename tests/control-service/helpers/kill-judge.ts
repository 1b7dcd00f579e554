import type { Found, Report, Write } from './kill-reports.ts';

interface Robot {
  name: string;
  type: 'physical' | 'virtual';
  hasSession: boolean;
  tries: number;
  /** The writer was killed while it opened or closed the session, so either state is right until the next write. */
  isUnsure: boolean;
}

/** Compares what was found in the database with what was acknowledged. */
export class KillJudge {
  private readonly robots = new Map<string, Robot>();
  private readonly underWay = new Map<number, Write>();
  acknowledged = 0;

  /** Records what the writer reported of a write. */
  take({ kind, lane, write }: Extract<Report, { kind: 'begin' | 'done' }>): void {
    if (kind === 'begin') this.underWay.set(lane, write);
    else {
      this.underWay.delete(lane);
      this.apply(write);
      this.acknowledged += 1;
    }
  }

  /**
   * Returns the faults of the data after the writer was killed. Each acknowledged write must be there; each unfinished
   * write must be complete or absent. Later checks build on what was found.
   */
  compare(found: Found): string[] {
    const wrong: string[] = found.agree ? [] : ['an index and its table do not agree'];
    const left = new Map(found.robots.map((robot) => [robot.id, robot]));
    for (const write of this.underWay.values()) this.settle(write, found, left);
    this.underWay.clear();
    for (const [id, robot] of this.robots) {
      const there = left.get(id);
      left.delete(id);
      if (!there) wrong.push(`robot ${id} (${robot.name}) is lost`);
      else if (there.name !== robot.name || there.type !== robot.type)
        wrong.push(`robot ${id} is ${there.name}, not ${robot.name}`);
      const phase = found.phases[id] ?? 'none';
      if (!robot.isUnsure && (phase === 'open') !== robot.hasSession)
        wrong.push(`session of ${id} is ${phase}, not ${robot.hasSession}`);
      if ((found.tries[id] ?? 0) !== robot.tries) wrong.push(`robot ${id} has ${found.tries[id] ?? 0} tries, not ${robot.tries}`);
    }
    for (const id of left.keys()) wrong.push(`robot ${id} is there and should not be`);
    for (const robot of found.robots)
      if (!robot.model.startsWith('model of lane ')) wrong.push(`robot ${robot.id} is half a record`);
    return wrong;
  }

  /** Finds out whether an unfinished write took place, and records it if so. */
  private settle(write: Write, found: Found, there: Map<string, Found['robots'][number]>): void {
    switch (write.op) {
      case 'create': {
        const made = found.robots.find((robot) => robot.name === write.name);
        if (made) this.apply({ ...write, id: made.id });
        break;
      }
      case 'rename':
        if (there.get(write.id)?.name === write.name) this.apply(write);
        break;
      case 'delete': {
        if (!there.has(write.id)) this.apply(write);
        // The session of the robot is deleted first.
        else this.unsure(write.id);
        break;
      }
      case 'guess':
        if ((found.tries[write.id] ?? 0) > (this.robots.get(write.id)?.tries ?? 0)) this.apply(write);
        break;
      case 'open':
      case 'close':
        this.unsure(write.id);
        break;
    }
  }

  private unsure(id: string): void {
    const robot = this.robots.get(id);
    if (robot) robot.isUnsure = true;
  }

  private apply(write: Write): void {
    if (write.op === 'create') {
      this.robots.set(write.id, { name: write.name, type: write.type, hasSession: false, tries: 0, isUnsure: false });
      return;
    }
    if (write.op === 'delete') {
      this.robots.delete(write.id);
      return;
    }
    const robot = this.robots.get(write.id);
    if (!robot) throw new Error(`${write.op} of a robot that was never made: ${write.id}`);
    if (write.op === 'rename') robot.name = write.name;
    else if (write.op === 'guess') robot.tries += 1;
    else {
      robot.hasSession = write.op === 'open';
      robot.isUnsure = false;
    }
  }
}
