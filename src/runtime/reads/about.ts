import { NO_CAMERAS } from '../../protocol/texts/error-texts.ts';
import { cameraInfoSchema, HEAD_CAMERA_FOV_DEG, HEAD_CAMERA_ID, intrinsicsFor } from '../../protocol/wire/captures.ts';
import * as limits from '../../protocol/wire/limits.ts';
import { METHOD_NAMES } from '../../protocol/wire/methods.ts';
import { isSliding, type JointSpec } from '../../protocol/wire/robot.ts';
import { SIM_PROTOCOL } from '../../simulation/sim-protocol.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import type { CameraState } from '../action-record.ts';
import type { RuntimeCore } from '../core.ts';

/** The runtime's description of itself, which does not change while it runs. */

/** P1 to P15 of docs/reference/measured.md. */
const PROMISE_COUNT = 15;

const jointOnWire = (joint: JointSpec) =>
  isSliding(joint)
    ? { name: joint.name, min_m: joint.minM, max_m: joint.maxM }
    : { name: joint.name, min_rad: joint.minRad, max_rad: joint.maxRad };

/** Returns the identity for `runtime.manifest`. */
export const manifest = ({ deps, world, contract, scenes }: RuntimeCore) => ({
  product: limits.PRODUCT_NAME,
  version: deps.productVersion,
  protocol_version: limits.PROTOCOL_VERSION,
  sim_protocol: SIM_PROTOCOL,
  profile: contract.profile,
  ...contract.manifestPart(),
  robot_model: {
    name: world.robot.model.name,
    height_m: world.robot.model.heightM,
    base_height_m: world.robot.model.baseHeightM,
    radius_m: world.robot.model.radiusM,
    joints: world.robot.model.joints.map(jointOnWire),
  },
  scene_id: world.scene.layout.scene_id,
  scenes: scenes.ids(),
  methods: [...METHOD_NAMES],
});

/** Returns the robot's own camera and those that hang in the scene. */
const camerasOf = ({ robot, scene }: SimWorld) => [
  { ...robot.model.camera, id: HEAD_CAMERA_ID, verticalFovDeg: HEAD_CAMERA_FOV_DEG },
  ...scene.cameras.map((camera) => ({ ...camera, mount: 'world', note: 'Fixed.' })),
];

const CAMERAS_STARTING = `The cameras are still built. A picture that is asked for now waits for them, at most ${limits.CAMERAS_AWAITED_MS / 1_000} s.`;

/** Returns whether a picture can be taken now, and if not, why. */
function availability(cameras: CameraState): { available: boolean; message?: string } {
  switch (cameras.kind) {
    case 'ready':
      return { available: true };
    case 'starting':
      return { available: false, message: CAMERAS_STARTING };
    case 'broken':
      return { available: false, message: cameras.message };
    case 'none':
      return { available: false, message: NO_CAMERAS };
  }
}

/** Returns the abilities besides the skills, for `runtime.capabilities`. */
export const capabilities = ({ world, cameras, scenes }: RuntimeCore) => ({
  cameras: (cameras.kind === 'none' ? [] : camerasOf(world)).map(({ id, description, verticalFovDeg, mount, position, note }) =>
    cameraInfoSchema.parse({
      camera_id: id,
      description,
      vertical_fov_deg: verticalFovDeg,
      mount,
      intrinsics: intrinsicsFor(verticalFovDeg, limits.CAPTURE_DEFAULT_WIDTH_PX, limits.CAPTURE_DEFAULT_HEIGHT_PX),
      extrinsics: { parent: mount, position: [...position], note },
    }),
  ),
  captures: {
    ...availability(cameras),
    formats: ['jpeg'],
    width_px: { min: limits.CAPTURE_MIN_PX, max: limits.CAPTURE_MAX_WIDTH_PX, default: limits.CAPTURE_DEFAULT_WIDTH_PX },
    height_px: { min: limits.CAPTURE_MIN_PX, max: limits.CAPTURE_MAX_HEIGHT_PX, default: limits.CAPTURE_DEFAULT_HEIGHT_PX },
    quality: { above: 0, max: 1, default: limits.CAPTURE_DEFAULT_QUALITY },
    annotations: ['boxes'],
    topic: limits.CAPTURE_TOPIC,
  },
  limits: {
    rpc_payload_bytes: limits.RPC_PAYLOAD_MAX_BYTES,
    rpc_payload_values: limits.PAYLOAD_MAX_VALUES,
    rpc_payload_depth: limits.PAYLOAD_MAX_DEPTH,
    deadline_s: limits.DEADLINE_MAX_S,
    action_id_characters: limits.ACTION_ID_MAX_LENGTH,
    results_kept: { ms: limits.RESULT_KEPT_MS, count: limits.RESULTS_KEPT_MIN, max_count: limits.RESULTS_KEPT_MAX },
    per_participant: {
      calls_per_second: limits.CALLS_PER_SECOND_MAX,
      calls_at_once: limits.CALLS_AT_ONCE_MAX,
      captures_waiting: limits.CAPTURES_WAITING_MAX,
      calls_on_one_action: limits.JOINED_CALLS_MAX,
    },
    linear_mps: limits.MAX_LINEAR_MPS,
    angular_rps: limits.MAX_ANGULAR_RPS,
    linear_mps2: limits.MAX_LINEAR_MPS2,
    angular_rps2: limits.MAX_ANGULAR_RPS2,
    reach_m: limits.REACH_M,
    carry_capacity: limits.CARRY_CAPACITY,
    go_to_tolerance: { position_m: limits.GO_TO_TOLERANCE_M, yaw_deg: limits.GO_TO_TOLERANCE_YAW_DEG },
    collected_cubes_listed: limits.COLLECTED_LISTED,
    stop_within_s: limits.STOP_WITHIN_S,
    settle_s: limits.SETTLE_S,
  },
  simulation: {
    steps_per_second: limits.STEPS_PER_SECOND,
    speed: { min: limits.MIN_SIM_SPEED, max: limits.MAX_SIM_SPEED },
    scenes: scenes.ids(),
  },
  promises: Array.from({ length: PROMISE_COUNT }, (_, index) => `P${index + 1}`),
});
