import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProgram } from './build-program.ts';
import { FILE_STEPS } from './file-steps.ts';
import { KillJudge } from './kill-judge.ts';
import { type Order, randomFrom, type Steps } from './kill-reports.ts';
import { pgliteImage } from './pglite-image.ts';
import { type Opening, startWriter, type Writer } from './watched-writer.ts';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const WRITER = join(import.meta.dirname, 'kill-writer.ts');
/** The number of writes that a writer may begin before it is killed. */
const WRITES_MAX = 25;
/** The faults of the writers, one after the other, in repeated rounds. */
const ROUND = [
  'while writing',
  'step',
  'first start',
  'while writing',
  'moment',
  'step',
  'full disk',
  'first start',
  'step',
] as const;
type Fate = (typeof ROUND)[number];
/** An opening that is killed at a random moment is killed within this time. */
const OPENING_MS = 1_500;

/** The result of a storm of kills. */
export interface KillStorm {
  kills: number;
  /** Kills while the database was being opened: at a random moment, and at one change to a file. */
  atMoments: number;
  atSteps: number;
  /** Kills while a new folder was being opened. */
  inFirstStarts: number;
  /** Openings on a disk that became full. */
  fullDisks: number;
  acknowledged: number;
  /** Lost, incomplete or undeleted data, and starts that needed manual help, as sentences. */
  wrong: string[];
}

/** A folder of a database, and its expected content. */
interface Life {
  folder: string;
  judge: KillJudge;
  /** The steps of the last opening that finished. */
  steps: Steps;
}

/**
 * Kills a control service with SIGKILL repeatedly while it writes to one database on disk and while it opens it. After
 * each kill it checks that the service starts automatically and that all acknowledged writes are there. First starts
 * are killed in separate folders. The seed determines the writes and their times.
 */
export async function runKillStorm(options: { kills: number; seed: number; log?: (line: string) => void }): Promise<KillStorm> {
  mkdirSync(join(PROJECT_DIR, '.cache'), { recursive: true });
  // In the project, so that packages are found.
  const root = mkdtempSync(join(PROJECT_DIR, '.cache/kills-'));
  try {
    // The program looks for them next to its own folder.
    cpSync(join(PROJECT_DIR, 'src/control-service/migrations'), join(root, 'migrations'), { recursive: true });
    const image = join(root, 'image.tar');
    writeFileSync(image, Buffer.from(await (await pgliteImage()).arrayBuffer()));
    return await new Storm(root, await buildProgram(WRITER, root), image, options.seed, options.log ?? (() => {})).run(
      options.kills,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

class Storm {
  private readonly storm: KillStorm = {
    kills: 0,
    atMoments: 0,
    atSteps: 0,
    inFirstStarts: 0,
    fullDisks: 0,
    acknowledged: 0,
    wrong: [],
  };
  private readonly random: () => number;
  private next: Writer | null = null;
  private writers = 0;
  private firstSteps: Steps = {};
  private readonly root: string;
  private readonly program: string;
  private readonly image: string;
  private readonly seed: number;
  private readonly log: (line: string) => void;

  constructor(root: string, program: string, image: string, seed: number, log: (line: string) => void) {
    this.root = root;
    this.program = program;
    this.image = image;
    this.seed = seed;
    this.log = log;
    this.random = randomFrom(seed);
  }

  async run(kills: number): Promise<KillStorm> {
    const { storm } = this;
    const main = this.newLife('main');
    try {
      // The first start determines the number of steps.
      await this.killWhileWriting(main);
      this.firstSteps = main.steps;
      for (let round = 0; storm.kills < kills && storm.wrong.length === 0; round += 1) {
        const fate = ROUND[round % ROUND.length] ?? 'step';
        await this.befall(fate, main, round);
        this.log(`kill ${storm.kills} (${fate}): ${storm.acknowledged} writes acknowledged so far`);
      }
      if (storm.wrong.length === 0) await this.look(main);
    } finally {
      await this.next?.kill();
    }
    return storm;
  }

  private async befall(fate: Fate, main: Life, round: number): Promise<void> {
    switch (fate) {
      case 'while writing':
        return this.killWhileWriting(main);
      case 'moment':
        return this.killAtMoment(main);
      case 'step':
        return this.killAtStep(main, main.steps);
      case 'full disk':
        return this.fillDisk(main);
      case 'first start': {
        const life = this.newLife(`first-${round}`);
        const before = this.storm.kills;
        // Now and then the second start of a folder is killed too.
        do await this.killAtStep(life, this.firstSteps);
        while (this.random() < 0.3);
        this.storm.inFirstStarts += this.storm.kills - before;
        await this.look(life);
        rmSync(join(life.folder, '..'), { recursive: true });
      }
    }
  }

  private newLife(name: string): Life {
    return { folder: join(this.root, name, 'db'), judge: new KillJudge(), steps: {} };
  }

  /** Opens the database, checks its content, and kills after some writes. */
  private async killWhileWriting(life: Life): Promise<void> {
    const writer = this.writer();
    const opening = await writer.open(this.orderFor(life, null));
    if (this.judge(life, opening)) await writer.reported('begin', 1 + Math.floor(this.random() * WRITES_MAX));
    await this.kill(life, writer);
  }

  private async killAtMoment(life: Life): Promise<void> {
    const writer = this.writer();
    const opened = writer.open(this.orderFor(life, null));
    const opening = await Promise.race([opened, sleep(this.random() * OPENING_MS, null)]);
    if (opening === null) this.storm.atMoments += 1;
    else if (this.judge(life, opening)) await writer.reported('begin', 1);
    await this.kill(life, writer);
    await opened.catch(() => {});
  }

  /** Kills at one change to a file while the database opens. The kind of change is drawn first, so that rare kinds occur too. */
  private async killAtStep(life: Life, steps: Steps): Promise<void> {
    const writer = this.writer();
    const opening = await writer.open(this.orderFor(life, this.troubleAmong(steps, 'kill')));
    if (opening.kind === 'died') this.storm.atSteps += 1;
    // This opening did not reach the change at which the kill was planned; the process is killed while it writes.
    else if (this.judge(life, opening)) await writer.reported('begin', 1);
    await this.kill(life, writer);
  }

  private async fillDisk(life: Life): Promise<void> {
    const writer = this.writer();
    const steps = { write: life.steps.write ?? 1, create: life.steps.create ?? 1 };
    const opening = await writer.open(this.orderFor(life, this.troubleAmong(steps, 'full disk')));
    if (opening.kind === 'refused' && opening.message.includes('the disk is full. Free some space')) this.storm.fullDisks += 1;
    else this.judge(life, opening);
    await this.kill(life, writer);
  }

  /** Opens the database, checks its content, writes something and checks again. */
  private async look(life: Life): Promise<void> {
    const writer = this.writer();
    if (this.judge(life, await writer.open(this.orderFor(life, null)))) {
      await writer.reported('done', 1);
      if (!readFileSync(`${life.folder}.lock`, 'utf8').startsWith(`${writer.pid} `))
        this.storm.wrong.push('the lock is not the writer’s');
    }
    await this.kill(life, writer);
  }

  private judge(life: Life, opening: Opening): boolean {
    const { wrong, kills } = this.storm;
    if (opening.kind !== 'opened') {
      wrong.push(`after kill ${kills}: ${opening.kind === 'refused' ? opening.message : 'the writer died without a kill'}`);
      return false;
    }
    life.steps = opening.steps;
    for (const one of life.judge.compare(opening.found)) wrong.push(`after kill ${kills}: ${one}`);
    return wrong.length === 0;
  }

  private async kill(life: Life, writer: Writer): Promise<void> {
    const before = life.judge.acknowledged;
    for (const report of await writer.kill()) life.judge.take(report);
    this.storm.acknowledged += life.judge.acknowledged - before;
    this.storm.kills += 1;
  }

  private troubleAmong(steps: Steps, kind: 'kill' | 'full disk'): Order['trouble'] {
    const kinds = FILE_STEPS.filter((step) => (steps[step] ?? 0) > 0);
    const step = kinds[Math.floor(this.random() * kinds.length)] ?? 'write';
    return { kind, step, nth: 1 + Math.floor(this.random() * (steps[step] ?? 1)), half: this.random() < 0.5 };
  }

  private orderFor({ folder }: Life, trouble: Order['trouble']): Order {
    this.writers += 1;
    return { folder, image: this.image, seed: this.seed + this.writers, trouble };
  }

  /** Returns a writer that is ready, and prepares the next one meanwhile. */
  private writer(): Writer {
    const writer = this.next ?? startWriter(this.program);
    this.next = startWriter(this.program);
    return writer;
  }
}
