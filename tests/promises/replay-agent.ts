import { seeded } from '../oracle/chance.ts';
/** A seeded agent that plays with the robot over the wire, and records its calls: the source of unforeseen call logs. */
import type { LoggedCall, Stage } from './replay-log.ts';

interface AgentReply {
  status?: string;
  error?: { code: string };
  entities?: Record<string, { kind: string; attached_to: string | null }>;
}

const PADS = ['pad_A', 'pad_B', 'pad_C', 'pad_D', 'pad_E'];
const entity = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });

/**
 * Lets the agent play for some steps on a stage, from its present state.
 * @returns the calls it made, steps counted from 0, and the hash after each step
 */
export function playOn(stage: Stage, seed: number, steps: number): { calls: LoggedCall[]; hashes: string[]; ends: string[] } {
  const random = seeded(seed);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(random() * items.length)] ?? items[0];
  const spread = (limit: number): number => (random() * 2 - 1) * limit;
  const calls: LoggedCall[] = [];
  const hashes: string[] = [];
  const firstEnd = stage.ends.length;
  let open = 0;
  let holding = false;
  let cubes: [string, ...string[]] = ['cube_0'];
  let tooFar: string | null = null;
  let step = 0;
  let ids = 0;

  function send(method: string, payload: unknown, onReply: (reply: AgentReply) => void = () => {}): void {
    const call = { method, payload, caller: pick(['agent-1', 'agent-2']) };
    calls.push({ step, ...call });
    stage.call(call, (reply) => onReply(reply as AgentReply));
  }

  function invoke(name: string, input: unknown, options: Record<string, unknown> = {}): void {
    open += 1;
    // Ends between two steps, so that the rounding of the clock cannot decide which step it is.
    const deadline = random() < 0.1 ? { deadline_s: (Math.floor(random() * 400) + 0.5) / 120 } : {};
    send('runtime.tools_call', { name, input, options: { ...options, ...deadline } }, ({ status, error }) => {
      open -= 1;
      if (name === 'pick_entity' && status === 'done') holding = true;
      if (name === 'place_entity' && status === 'done') holding = false;
      if (error?.code === 'HANDS_FULL') holding = true;
      if (error?.code === 'HANDS_EMPTY') holding = false;
      if (error?.code === 'OUT_OF_REACH')
        tooFar = JSON.stringify(input).match(/cube_\d+|pad_[A-E]/)?.[0] ?? pick(['pad_B', 'pad_D']);
    });
  }

  const pose = () => ({ kind: 'pose', pose: { position: [spread(3.5), -2 + spread(4), 0], yaw_deg: spread(180) } });
  const work = (): void => {
    if (tooFar !== null) {
      invoke('go_to', entity(tooFar));
      tooFar = null;
    } else if (holding) invoke('place_entity', random() < 0.5 ? {} : entity(pick(['pad_B', 'pad_C', 'pad_D', 'pad_E'])));
    else invoke('pick_entity', entity(random() < 0.4 ? 'cube' : pick(cubes)), { action_id: `pick-${seed}-${++ids}` });
  };
  const drive = (): void =>
    invoke('set_velocity', { vx: spread(1.7), vy: spread(1), wz: spread(1.7), duration_s: random() * 1.5 });
  const others: readonly [() => void, ...(() => void)[]] = [
    () => invoke('go_to', { target: pose() }),
    () => invoke('go_to', entity(random() < 0.5 ? pick(cubes) : pick(PADS as [string, ...string[]]))),
    () => invoke('set_head', { yaw: spread(1.4), pitch: 0.2 + spread(0.8) }),
    () => invoke('look_at', entity(random() < 0.5 ? pick(cubes) : 'pad_C')),
    () => invoke('configure_benchmark', { benchmark: { enabled: random() < 0.7, seed: Math.floor(random() * 4_294_967_296) } }),
    () => invoke('set_color_mode', { mode: pick(['natural', 'plain', 'segmentation']) }),
    () => invoke('set_sim_speed', { speed: 0.1 + random() * 9.9 }),
    () => send('runtime.state', {}),
    () => send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } }),
    () =>
      send('runtime.scene_state', { kinds: ['cube'] }, ({ entities }) => {
        const [first = 'cube_0', ...rest] = Object.keys(entities ?? {});
        cubes = [first, ...rest];
        holding = Object.values(entities ?? {}).some(({ attached_to: holder }) => holder !== null);
      }),
  ];
  const interruptions: readonly [() => void, ...(() => void)[]] = [
    () => send('runtime.cancel', { options: { action_id: 'cancel-active' } }),
    () => invoke('cancel', {}),
    () => invoke('set_velocity', {}),
    drive,
    work,
    () => invoke('set_head', { yaw: 9 }),
    () => invoke('reset', { seed: Math.floor(random() * 1000) }),
    () => invoke('select_scene', { scene_id: 'warehouse', start_pose: { position: [-1.2, -2.5, 0], yaw_deg: spread(180) } }),
  ];

  for (; step < steps; step += 1) {
    if (open === 0 && random() < 0.05) {
      const kind = random();
      if (kind < 0.5) work();
      else if (kind < 0.65) drive();
      else pick(others)();
    } else if (random() < 0.003) pick(interruptions)();
    hashes.push(stage.step());
  }
  return { calls, hashes, ends: stage.ends.slice(firstEnd) };
}
