import { describe, expect, it } from 'vitest';
import { SKILL_NAMES, SKILLS, type SkillName } from '../../src/protocol/wire/skills.ts';
import { robotTruth } from './oracle.ts';
import { createTestRuntime, entity, startAt, type TestRuntime } from './test-runtime.ts';

/** A call of every skill that takes some time, or that ends at once. */
const CALLS: Record<SkillName, unknown> = {
  set_velocity: { vx: -0.2, duration_s: 3 },
  go_to: entity('pad_C'),
  pick_entity: entity('cube_0'),
  place_entity: {},
  set_head: { yaw: 1.2 },
  look_at: entity('cube_0'),
  cancel: {},
  reset: {},
  select_scene: { scene_id: 'warehouse' },
  set_sim_speed: { speed: 2 },
  configure_benchmark: { benchmark: { enabled: true } },
  set_color_mode: { mode: 'plain' },
};
const LONG = [
  'set_velocity',
  'go_to',
  'pick_entity',
  'place_entity',
  'set_head',
  'look_at',
] as const satisfies readonly SkillName[];

/** Returns the contract's rule for a pair, written without looking at the ledger. */
function expected(active: SkillName, asked: SkillName): 'beside' | 'busy' | 'replaces' | 'cancels' {
  if (asked === 'cancel') return 'cancels';
  if (asked === 'reset' || asked === 'select_scene') return 'busy';
  const shared = SKILLS[asked].uses.some((part) => SKILLS[active].uses.some((other) => other === part));
  if (!shared) return 'beside';
  return asked === 'set_velocity' && (active === 'go_to' || active === 'set_velocity') ? 'replaces' : 'busy';
}

/** A robot before cube_0, with a cube in its hands when the skill places one. */
async function ready(active: SkillName): Promise<TestRuntime> {
  const t = await startAt(0.94, -1.8, 0);
  if (active === 'place_entity') {
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    expect(t.invoke('go_to', entity('pad_D')).status).toBe('done');
  }
  return t;
}

describe('P9 busy is explicit', () => {
  describe.each(LONG)('while %s runs', (active) => {
    it('every other skill runs beside it, is rejected by name, or replaces it, as promised', async () => {
      const t = await ready(active);
      for (const asked of SKILL_NAMES) {
        if (active === 'set_head' || active === 'look_at') t.invoke('set_head', { yaw: -1, pitch: -0.3 });
        const running = t.start(active, CALLS[active], { action_id: `${active}-before-${asked}` });
        t.advance(10);
        expect(running.replies, `${active} still runs, ${asked} comes`).toBe(0);
        const call = t.start(asked, CALLS[asked]);
        switch (expected(active, asked)) {
          case 'busy':
            expect(call.reply?.error, asked).toMatchObject({
              code: 'BUSY',
              details: {
                active_action: { action_id: `${active}-before-${asked}`, name: active },
                attempted: false,
                retryable: true,
              },
            });
            expect(call.reply.error.message).toContain(active);
            break;
          case 'replaces':
            expect(running.reply?.error, asked).toMatchObject({ code: 'CANCELLED' });
            expect(t.core.ledger.active.has(running.reply.error.details.superseded_by)).toBe(true);
            break;
          case 'cancels':
            t.finish(call);
            expect(running.reply?.error.code).toBe('CANCELLED');
            break;
          case 'beside':
            // Empty hands may have nothing to place, but they are not busy.
            expect(call.reply?.error?.code, asked).not.toBe('BUSY');
            expect(running.replies, asked).toBe(0);
            break;
        }
        t.invoke('cancel');
        expect(t.core.ledger.active.size).toBe(0);
      }
    });
  });

  it('the head looks around while the base walks, and both are done', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_D'));
    for (const yaw of [0.5, -0.5, 0.8]) expect(t.invoke('set_head', { yaw }).status).toBe('done');
    expect(walking.replies).toBe(0);
    expect(t.finish(walking).status).toBe('done');
    expect(t.read('runtime.state').robot.extra.head.measured.yaw).toBeCloseTo(0.8, 2);
  });

  it('set_velocity takes over a running drive without a halt in between', async () => {
    const t = await startAt(0.3, 3.2, 180);
    t.start('set_velocity', { vx: 0.8, duration_s: 5 }, { action_id: 'a' });
    t.advance(120);
    const before = robotTruth(t.core).linearMps;
    const next = t.start('set_velocity', { vx: 0.8, wz: 0.3, duration_s: 0.5 }, { action_id: 'b' });
    t.advance(5);
    expect(robotTruth(t.core).linearMps).toBeGreaterThan(before - 0.05);
    expect(t.read('runtime.action', { action_id: 'a' }).error).toMatchObject({
      code: 'CANCELLED',
      details: { superseded_by: 'b' },
    });
    expect(t.finish(next).status).toBe('done');
  });

  it('a stream of drives moves displaced arms back beside it, each drive continuing where the last one ended', async () => {
    const t = await startAt(0.94, -1.8, 0);
    // How far the palms are in front of the base.
    const ahead = () => t.core.world.body.palms.right.position[0] - robotTruth(t.core).position[0];
    t.advance(10);
    const hanging = ahead();
    t.start('pick_entity', entity('cube_0'));
    t.advance(75);
    t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    expect(ahead()).toBeGreaterThan(hanging + 0.2);
    for (let call = 0; call < 50; call += 1) {
      t.start('set_velocity', { vx: -0.2 });
      t.advance(6);
    }
    expect(Math.abs(ahead() - hanging)).toBeLessThan(0.15);
    expect(t.core.armsAstray).toBe(false);
  });

  it.each(['go_to', 'pick_entity', 'place_entity'] as const)(
    'a zero set_velocity stops %s, whatever else it moves',
    async (active) => {
      const t = await ready(active);
      const running = t.start(active, CALLS[active]);
      t.advance(40);
      const stop = t.start('set_velocity', {}, { action_id: 'stop' });
      expect(t.finish(stop)).toMatchObject({ status: 'done', result: { applied: { vx: 0, vy: 0, wz: 0 } } });
      t.finish(running, 1);
      expect(running.reply.error).toMatchObject({ code: 'CANCELLED', details: { superseded_by: 'stop' } });
      expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
    },
  );

  it('a look that needs the base is rejected while the base walks, and stopped by a zero set_velocity', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'), { action_id: 'walk' });
    t.advance(5);
    const behind = { target: { kind: 'pose', pose: { position: [-3, -1.5, 0.6] } } };
    expect(t.start('look_at', behind).reply.error).toMatchObject({ code: 'BUSY', details: { parts: ['base'] } });
    t.invoke('cancel');
    t.finish(walking);
    t.invoke('go_to', { target: { kind: 'pose', pose: { position: [0.4, -1.5, 0], yaw_deg: 0 } } });
    const looking = t.start('look_at', behind);
    t.advance(30);
    expect(t.invoke('set_velocity', {}).status).toBe('done');
    expect(t.finish(looking, 1).error.code).toBe('CANCELLED');
  });

  it('reads and captures are served while actions run', async () => {
    const t = await ready('pick_entity');
    const picking = t.start('pick_entity', entity('cube_0'), { action_id: 'pick' });
    while (picking.replies === 0) {
      t.advance(20);
      const state = t.read('runtime.state');
      if (picking.replies === 0) expect(state.runtime).toMatchObject({ status: 'busy', active_action: { action_id: 'pick' } });
      t.read('runtime.scene_state');
      const picture = t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
      const job = t.jobs.at(-1);
      t.runtime.finishCapture(job?.actionId ?? '', { ok: true, byteLength: 1 }, t.nowMs);
      expect(picture.reply.status).toBe('done');
    }
    expect(picking.reply.status).toBe('done');
  });
});
