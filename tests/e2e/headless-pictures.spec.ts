/** A simulator without a page draws what the robot’s tab draws: its pictures are held against the tab’s own, in `snapshots/`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findBrowser } from '../../scripts/ensure-browser.ts';
import type { RunRecord } from '../../src/headless/eval/run-record.ts';
import { createSimulation, type Simulation } from '../../src/headless/index.ts';
import { createPictures, openPictures } from '../../src/headless/pictures/pictures.ts';
import { verifyFile } from '../../src/headless/verify-file.ts';
import { startStandIn } from '../headless/eval/stand-in-model.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { CAPTURE, CAPTURE_GRAIN_PX, CAPTURE_TOLERANCE, coarse, SEED } from './support/coarse.ts';
import { expect, test } from './support/fixtures.ts';

process.env.SIMPLESIM_CHROMIUM ||= findBrowser() ?? '';
const SMALL = { width: 160, height: 90 };
const JPEG_BEGINS = [0xff, 0xd8];

/** The processes whose arguments name a browser of this process or another, the children of a browser too. */
function browserProcesses(ofPid = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`simplesim-browser-${ofPid}-`);
      } catch {
        return false;
      }
    });
}

test.describe.configure({ mode: 'serial' });

test('a simulator without a page takes the pictures that a tab takes', async ({ page }) => {
  const simulation = await createSimulation({ seed: SEED, pictures: true });
  try {
    for (const [camera, colours, name] of [
      ['pov', 'natural', 'pov'],
      ['topdown', 'natural', 'topdown'],
      ['topdown', 'segmentation', 'segmentation'],
    ] as const) {
      await simulation.invoke('set_color_mode', { mode: colours });
      const { jpeg } = await simulation.capture(camera, CAPTURE);
      expect(await coarse(page, Buffer.from(jpeg ?? []), 'image/jpeg', CAPTURE_GRAIN_PX)).toMatchSnapshot(
        `warehouse-${name}.png`,
        CAPTURE_TOLERANCE,
      );
    }
  } finally {
    simulation.dispose();
  }
});

test('pictures in process: of the step that they are asked at, one browser for all, through a kill and a hang', async () => {
  const simulations: Simulation[] = [];
  const start = async (options: object): Promise<Simulation> => {
    const simulation = await createSimulation({ ...options, pictures: true });
    simulations.push(simulation);
    return simulation;
  };
  const watch = openPictures();
  const [one, other] = await Promise.all([start({ seed: 1 }), start({ seed: 2, sceneId: 'hall', robotId: 'picker' })]);
  const firstPid = watch.browserPid() ?? 0;

  await test.step('a picture is as deterministic as the step that it shows', async () => {
    one.step(40);
    const [first, second] = await Promise.all([one.capture('pov', SMALL), one.capture('pov', SMALL)]);
    expect(first.reply).toMatchObject({ status: 'done', result: { frame: { step: 40 } } });
    expect(one.stepCount).toBe(40);
    expect([...(first.jpeg ?? [])].slice(0, 2)).toEqual(JPEG_BEGINS);
    expect(Buffer.from(second.jpeg ?? [])).toEqual(Buffer.from(first.jpeg ?? []));
    const hash = one.hash();
    one.reset(1);
    one.step(40);
    expect(one.hash()).toBe(hash);
    const again = await one.capture('pov', { ...SMALL, annotations: ['boxes'] });
    expect(Buffer.from(again.jpeg ?? [])).toEqual(Buffer.from(first.jpeg ?? []));
    expect(again.reply.result.entities.length).toBeGreaterThan(0);
  });

  await test.step('a rejected picture has no bytes; a picture that is drawn during a restart of the robot is dropped', async () => {
    expect(await one.capture('nowhere', SMALL)).toMatchObject({ reply: { error: { code: 'UNKNOWN_CAMERA' } }, jpeg: null });
    expect(await one.capture('pov', { width: 1 })).toMatchObject({ reply: { error: { code: 'INVALID_INPUT' } }, jpeg: null });
    const lost = one.capture('pov', SMALL);
    one.reset(1);
    await expect(lost).rejects.toThrow(/reset/);
    expect((await one.capture('pov', SMALL)).reply.result.frame.step).toBe(0);
  });

  await test.step('the browser is killed: the next picture has another one', async () => {
    expect((await other.capture('topdown', SMALL)).jpeg).not.toBeNull();
    process.kill(-firstPid, 'SIGKILL');
    const [left, right] = await Promise.all([one.capture('pov', SMALL), other.capture('pov', SMALL)]);
    expect([left.reply.status, right.reply.status]).toEqual(['done', 'done']);
    expect(watch.browserPid()).not.toBe(firstPid);
  });

  await test.step('the browser hangs: it is killed, and the picture comes all the same', async () => {
    const hung = watch.browserPid() ?? 0;
    process.kill(-hung, 'SIGSTOP');
    expect((await one.capture('topdown', SMALL)).reply.status).toBe('done');
    expect(watch.browserPid()).not.toBe(hung);
  });

  await test.step('with the last who takes pictures the browser is gone, and nothing of it stays', async () => {
    for (const simulation of simulations) simulation.dispose();
    expect(browserProcesses().length).toBeGreaterThan(0);
    await watch.close();
    await expect.poll(() => browserProcesses()).toEqual([]);
  });
});

test('without a browser, or without a built page, a picture is refused in words, and the next one may be drawn', async () => {
  const simulation = await createSimulation();
  let browser: string | null = null;
  const without = createPictures({ distDir: 'dist', findBrowser: () => browser });
  await expect(without.pictures.ready(simulation.layout())).rejects.toThrow(/no Chrome or Chromium.*SIMPLESIM_CHROMIUM/);
  browser = '/bin/false';
  await expect(without.pictures.ready(simulation.layout())).rejects.toThrow(/the browser ended \(code 1\)/);
  browser = process.env.SIMPLESIM_CHROMIUM ?? '';
  await without.pictures.ready(simulation.layout());
  await without.end();
  const unbuilt = createPictures({ distDir: 'no-such-folder' });
  await expect(unbuilt.pictures.ready(simulation.layout())).rejects.toThrow(/npm run build/);
  await unbuilt.end();
  expect(browserProcesses()).toEqual([]);
  simulation.dispose();
});

test('a robot without a page sends its pictures to who asks; a flood, a kill of its browser and its own end leave nothing', async ({
  robot,
  platform,
}) => {
  const headless = runWorker(
    ['--log', 'json', '--seed', '1', '--pictures', '--key-from-stdin'],
    { SIMPLESIM_DATA_DIR: platform.dataDir },
    await robot.key(),
    'headless',
  );
  try {
    const caller = await robot.join();
    await caller.ready();
    const capture = (id: string, options: object = SMALL) =>
      caller.call('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' }, options, stream: { id } });
    const { status, result, error } = await capture('first');
    expect(status, JSON.stringify(error)).toBe('done');
    const file = await caller.file('first');
    expect(file.sha256).toBe(file.attributes.sha256);
    expect(file.bytes.byteLength).toBe(result.payload.byte_length);
    expect(file.attributes).toMatchObject({ step: String(result.frame.step), camera: 'pov', width: '160' });
    expect(await caller.call('runtime.state', {})).toMatchObject({ runtime: { accepts_capture_requests: true } });

    const flood = await Promise.all(Array.from({ length: 40 }, (_, n) => capture(`flood-${n}`)));
    const taken = flood.filter((reply) => reply.status === 'done').length;
    expect(taken).toBeGreaterThanOrEqual(8);
    for (const reply of flood)
      if (reply.status !== 'done') expect(reply.error.code).toMatch(/RATE_LIMITED|TOO_MANY|BUSY|CAPTURE/);

    const pid = headless.child.pid ?? 0;
    const [browser = 0] = browserProcesses(pid);
    process.kill(browser, 'SIGKILL');
    expect((await capture('after')).status).toBe('done');
    headless.child.kill('SIGKILL');
    await headless.exit;
    await expect.poll(() => browserProcesses(pid)).toEqual([]);
  } finally {
    killWorkers();
  }
});

test('an evaluation with pictures: its agent looks, its report shows both ends of the run, and its proof is true', async () => {
  const out = mkdtempSync(join(tmpdir(), 'simplesim-eval-pictures-'));
  const model = await startStandIn([
    () => ({ use: [['look', { camera: 'pov' }]] }),
    () => ({ use: ['go_to', 'pick_entity'].map((skill) => [skill, { target: { kind: 'entity', entity_id: 'cube_0' } }]) }),
  ]);
  const [task, agent] = ['tests/headless/eval/tasks/take-one.json', 'npx tsx examples/agents/llm-agent.ts'];
  const child = spawn(
    process.execPath,
    ['scripts/simplesim.mjs', 'eval', task, '--seeds', '1', '--agent', agent, '--pictures', '--out', join(out, 'results')],
    { env: { ...process.env, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'stand-in' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [said, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.once('close', resolve))]);
  await model.close();
  try {
    expect(code, said).toBe(0);
    const [reported, picture] = model.requests[1]?.messages.slice(-2) ?? [];
    expect(reported?.content).toMatch(/^The picture of step \d+ follows\.$/);
    expect(picture?.content).toMatchObject([{ image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//) } }]);
    const record = JSON.parse(readFileSync(join(out, 'results/results.jsonl'), 'utf8')) as RunRecord;
    const printed = readFileSync(join(out, 'results', record.output_file ?? ''), 'utf8');
    expect(record, printed).toMatchObject({ outcome: 'passed', no_pictures: null });
    for (const file of Object.values(record.pictures ?? { none: '' }))
      expect([...readFileSync(join(out, 'results', file))].slice(0, 2)).toEqual(JPEG_BEGINS);
    expect(readFileSync(join(out, 'results/report.html'), 'utf8').match(/<img [^>]*src="data:image\/jpeg;base64,/g)).toHaveLength(
      2,
    );
    expect(await verifyFile(join(out, 'results', record.proof_file ?? ''))).toMatchObject({ is: 'true' });
    expect(browserProcesses(child.pid)).toEqual([]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
