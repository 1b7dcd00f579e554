import { describe, expect, it } from 'vitest';
import { scenePlans } from '../../scripts/vite/scene-plans.ts';
import type { RuntimeSummary, SessionState } from '../../src/protocol/service/session-state.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { isOnFloor, type PlanScene, planShapes } from '../../src/viewer/robots/plan/plan-shapes.ts';
import { isOld, noPlaceText, placeAgeText, placeText } from '../../src/viewer/robots/plan/plan-texts.ts';
import { OLD_AFTER_MS, placesAfter, type SeenPlace, seenAgeMs } from '../../src/viewer/robots/seen-places.ts';

const OPENED_AT = '2030-01-01T00:00:00.000Z';
const SUMMARY: RuntimeSummary = {
  status: 'ready',
  robot_status: 'ready',
  is_stopped: false,
  active_action: null,
  last_action: null,
  driver: null,
  scene_id: 'warehouse',
  place: { x_m: 1, y_m: 2, yaw_deg: 90, age_ms: 700 },
  held_entity_ids: ['cube_3'],
};
const IN_ROOM = { identity: 'simplesim:a', name: '', is_agent: false, joined_at: OPENED_AT };
const said = (state: Partial<RuntimeSummary> | null, more: Partial<SessionState> = {}): SessionState => ({
  robot_id: 'a',
  phase: 'open',
  opened_at: OPENED_AT,
  participants: [IN_ROOM],
  participant_count: 1,
  runtime: { ...IN_ROOM, state: state && { ...SUMMARY, ...state } },
  ...more,
});
const NOBODY = said(null, { runtime: null });
const at = (ms: number) => ({ nowMs: ms, wallMs: 1e12 + ms });
const NOTHING: ReadonlyMap<string, SeenPlace> = new Map();
const seen = (ms = 10_000): SeenPlace => {
  const place = placesAfter(NOTHING, [said({})], at(ms)).get('a');
  if (!place) throw new Error('it said where it is');
  return place;
};

describe('the last places of robots', () => {
  it('the age of a place is the age that the service reports plus the time of the answer, and grows with time', () => {
    expect(seenAgeMs(seen(10_000), at(10_000))).toBe(700);
    expect(seenAgeMs(seen(10_000), at(14_000))).toBe(4_700);
    expect(seen()).toMatchObject({ sceneId: 'warehouse', heldEntityIds: ['cube_3'] });
  });

  it('a machine that slept does not take an old place for new, and a clock that is set back makes no place newer', () => {
    expect(seenAgeMs(seen(10_000), { nowMs: 10_100, wallMs: 1e12 + 3_610_000 })).toBeGreaterThan(3_600_000);
    expect(seenAgeMs(seen(10_000), { nowMs: 70_000, wallMs: 0 })).toBe(60_700);
  });

  it.each([
    ['its runtime does not answer', said(null)],
    ['its runtime is gone', NOBODY],
  ])('the last place stays and ages while %s', (_, session) => {
    const before = placesAfter(NOTHING, [said({})], at(0));
    const after = placesAfter(before, [session], at(20_000));
    expect(after.get('a')).toBe(before.get('a'));
    expect(isOld(seenAgeMs(seen(0), at(20_000)))).toBe(true);
  });

  it.each([
    ['it is in another session', [said(null, { opened_at: '2030-01-02T00:00:00.000Z' })]],
    ['it has no session', []],
    ['its runtime answers without its place', [said({ place: null })]],
  ])('the last place is dropped when %s', (_, sessions) => {
    const before = placesAfter(NOTHING, [said({})], at(0));
    expect(placesAfter(before, sessions, at(5_000)).size).toBe(0);
  });

  it('a place is old once two polls brought nothing newer', () => {
    expect([isOld(OLD_AFTER_MS), isOld(OLD_AFTER_MS + 1)]).toEqual([false, true]);
  });
});

describe('plans', () => {
  const plans = scenePlans();

  it.each(SCENE_IDS)('the plan of %s exists, with its pads on its floor', (id) => {
    const shapes = plans[id];
    if (!shapes) throw new Error(`no plan of ${id}`);
    expect(shapes.pads.length).toBeGreaterThan(0);
    for (const { x, y } of shapes.pads) expect(isOnFloor(shapes, x, -y)).toBe(true);
    const numbers = JSON.stringify(shapes).match(/-?\d+(?:\.\d+)?/g) ?? [];
    expect(numbers.every((text) => Math.abs(Number(text)) < 100)).toBe(true);
  });

  it('the plan of the warehouse has belt, racks, and pads with letter and colour, with +y at the top', () => {
    expect(plans.warehouse?.floor).toEqual({ left: -5, top: -4.5, width: 10.5, height: 12.7 });
    expect(plans.warehouse?.pads).toContainEqual(
      expect.objectContaining({ id: 'pad_C', colour: 'green', letter: 'C', x: 3.2, y: -1.6 }),
    );
    expect(plans.warehouse?.pads.some(({ id }) => id === 'pad_A')).toBe(false);
    expect(plans.warehouse?.racks.match(/M/g)).toHaveLength(13);
    expect(plans.warehouse?.belts).toBe('M1.57 -2.9L1.23 -2.9L1.23 2.1L1.57 2.1Z');
  });

  it('the plan draws a turned box turned', () => {
    const scene: PlanScene = {
      bounds: { min: [-2, -2, 0], max: [2, 2, 3] },
      obstacles: [{ kind: 'box', obstacle_id: 'crate', pose: { position: [1, 0, 0.5], yaw_deg: 90 }, size: [1, 0.2, 1] }],
      pads: [],
      furniture: [],
    };
    expect(planShapes(scene).others).toBe('M0.9 -0.5L0.9 0.5L1.1 0.5L1.1 -0.5Z');
  });

  it('all plans together are small', () => {
    expect(JSON.stringify(plans).length / SCENE_IDS.length).toBeLessThan(2_500);
  });
});

describe('words of a plan', () => {
  const { warehouse = null } = scenePlans();
  const placed = (x_m: number, y_m: number, yaw_deg = 0, held: string[] = []): SeenPlace => ({
    ...seen(),
    place: { x_m, y_m, yaw_deg, age_ms: 0 },
    heldEntityIds: held,
  });

  it('the words of a plan describe it to people who cannot see it', () => {
    expect(placeText(placed(0.405, -1.497), warehouse)).toBe('at x 0.4 m, y −1.5 m, heading 0°');
    expect(placeText(placed(3.2, 0.9, -90, ['cube_3']), warehouse)).toBe(
      'at x 3.2 m, y 0.9 m, heading −90°, beside pad_C, holds cube_3',
    );
    expect(placeText(placed(500, 0), warehouse)).toBe('at x 500.0 m, y 0.0 m, heading 0°, outside of the plan');
    expect(placeText(placed(12, 3), null)).toBe('at x 12.0 m, y 3.0 m, heading 0°');
  });

  it('the words of a plan name a held object so that its name changes no words around it', () => {
    expect(placeText(placed(0, 0, 0, ['a ”, holds all\u202e']), warehouse)).not.toContain('\u202e');
  });

  it.each([
    [undefined, 'unknown at the moment'],
    [null, 'in no room'],
    [said({}, { phase: 'closing' }), 'in no room'],
    [NOBODY, 'It is offline.'],
    [said(null), 'not reported its place yet'],
    [said({ place: null }), 'does not report its place'],
  ])('the words of a plan explain a missing place', (session, sentence) => expect(noPlaceText(session)).toContain(sentence));

  it.each([
    [999, 'now'],
    [1_000, '1 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [7_200_000, '2 h ago'],
    [172_800_000, '2 days ago'],
  ])('an age of %d ms is described in words', (ms, sentence) => expect(placeAgeText(ms)).toBe(sentence));
});
