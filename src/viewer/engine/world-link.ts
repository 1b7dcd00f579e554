import type { Cameras } from '../../cameras/camera-client.ts';
import { SentenceError } from '../../common/sentence-error.ts';
import type { TaskFile } from '../../protocol/files/task-file.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import { EMPTY_OVERLAY, type Overlay, type RenderState } from '../../protocol/wire/render-state.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { SceneId } from '../../protocol/wire/scene-ids.ts';
import type { RoomManager } from '../../room/room-manager.ts';
import type { CameraState, CaptureJob } from '../../runtime/action-record.ts';
import type { EmergencyStop } from '../../runtime/emergency-state.ts';
import { createCaptureQueue } from '../../runtime/host/capture-queue.ts';
import { carryOutCapture, type DrawnPicture } from '../../runtime/host/carry-out-capture.ts';
import type { KeepOrder } from '../../runtime/host/sim-messages.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { KeeperUpdate } from './kept/keeper.ts';
import { setPart } from './loading.ts';
import type { ChosenContract } from './page-address.ts';
import type { SimulationClient, SimulationEvent } from './simulation-client.ts';
import { statusText } from './status-text.ts';
import { withAction, withRecalled } from './timeline.ts';
import type { ActionView, ViewerStore } from './types.ts';
import { createWorldCameras } from './world-cameras.ts';

/** How long the page shows that the browser had frozen it. */
const SUSPENSION_SHOWN_MS = 5_000;

/** Simulation and cameras of one robot, and the page's view of them. */
export interface WorldLink {
  readonly simulation: SimulationClient;
  /**
   * Waits until they are ready. @throws Error with a sentence when they are not needed yet, do not work, or the world has ended
   */
  cameras(): Promise<Cameras>;
  layout(): ScenePlace | null;
  latest(): RenderState | null;
  overlay(): Overlay;
  /** Requires the cameras from now on. Before that, only the world for the page's background is needed. */
  wantCameras(): void;
  /**
   * Shows a quiet world only occasionally, like that of a hidden page: this tab is not the robot, and another tab may need the
   * CPU.
   */
  setQuiet(quiet: boolean): void;
  dispose(): void;
}

/** The options with which a world is started. */
export interface WorldOptions {
  /** The contract of the robot. */
  contract: ChosenContract;
  /** Returns the room at the time when a picture is sent. */
  room: () => RoomManager | null;
  seed: number;
  sceneId: SceneId;
  robotId: RobotId;
  /** Where the world is stored, and from where it continues. */
  keep: KeepOrder;
  /** The owner of the records of this world. */
  owner: string;
  /** The task by which its run is judged. */
  task: TaskFile | null;
  /** Called when the simulation fails after it had been ready. */
  onBroken: () => void;
  /** Called with whether the world continues a stored one, and whether it is stored. */
  onKeeper: (update: KeeperUpdate) => void;
  /** Called when the emergency stop is latched, or released by a person (null). */
  onEmergency: (latched: EmergencyStop | null) => void;
}

/** Starts the simulation of a robot; its progress and states go to the store. */
export function startWorld(deps: EngineDeps, store: ViewerStore, options: WorldOptions): WorldLink {
  let wasReady = false;
  let renderState: RenderState | null = null;
  let overlay: Overlay = EMPTY_OVERLAY;
  let layout: ScenePlace | null = null;
  let quiet = false;
  let camerasWanted = false;
  let disposed = false;
  let suspension = { text: '', untilMs: 0 };

  for (const id of ['physics', 'world', 'cameras'] as const) setPart(store, id, { fraction: 0 });
  const simulation = deps.startSimulation(
    {
      seed: options.seed,
      sceneId: options.sceneId,
      robotId: options.robotId,
      productVersion: deps.productVersion,
      hidden: deps.visibility.isHidden(),
      keep: options.keep,
      owner: options.owner,
      task: options.task,
      ...options.contract,
    },
    onEvent,
  );
  // A tab without working cameras is still a robot: it serves calls, and captures fail with a sentence.
  const cameras = createWorldCameras({
    create: (layout) => deps.createCameras({ layout, onProgress: showCameraSteps }),
    report(state) {
      simulation.setCameras(state);
      setPart(store, 'cameras', camerasPart(state));
    },
  });
  const reportVisibility = (): void => simulation.setHidden(quiet || deps.visibility.isHidden());
  const unsubscribe = deps.visibility.subscribe(reportVisibility);

  async function draw({ annotations, ...job }: CaptureJob): Promise<DrawnPicture> {
    const working = cameras.now();
    if (!working) throw new SentenceError('The cameras of this tab do not work. Reload the page; WebGL must be allowed.');
    const { renderState, camera, widthPx, heightPx, quality } = job;
    return working.capture({ renderState, camera, widthPx, heightPx, quality, annotations: annotations ? ['boxes'] : [] });
  }

  const takeCapture = createCaptureQueue(async (job) => {
    const outcome = await carryOutCapture(job, { draw, room: options.room() });
    simulation.finishCapture(job.actionId, outcome);
  });

  /** Changes of actions since the last state. */
  const changedActions: ActionView[] = [];

  function onEvent(event: SimulationEvent): void {
    if (disposed) return;
    switch (event.kind) {
      case 'progress':
        setPart(store, 'physics', { fraction: event.fraction, ...(event.bytes ? { note: megabytes(event.bytes) } : {}) });
        return;
      case 'layout':
        adoptLayout(event.layout);
        return;
      case 'ready':
        wasReady = true;
        setPart(store, 'physics', { done: true });
        allowCameras();
        return;
      case 'failed':
        setPart(store, 'physics', { fraction: 0, problem: event.message });
        cameras.giveUp(event.message);
        if (wasReady) options.onBroken();
        return;
      case 'capture':
        takeCapture(event.job);
        return;
      case 'task':
        store.setState(({ task }) => {
          const { verdict, isDecided, missing } = event;
          return { task: task && { ...task, verdict, isDecided, missing } };
        });
        return;
      case 'event':
        if (event.event.type === 'cancels_repeated') store.setState({ repeatedCancels: event.event });
        options.room()?.sendEvent(event.event);
        return;
      case 'frame':
        renderState = event.renderState;
        overlay = event.overlay ?? overlay;
        return;
      case 'state': {
        const actions = changedActions.splice(0).reduce(withAction, store.getState().actions);
        store.setState((state) => ({
          runtime: event.runtime,
          actions,
          ...(event.scene ? { scene: event.scene } : {}),
          ...event.timing,
          statusText:
            deps.nowMs() < suspension.untilMs ? suspension.text : statusText({ ...state, actions, runtime: event.runtime }),
        }));
        return;
      }
      case 'action':
        // The list is updated at most ten times a second for people, while an agent may call hundreds of times.
        changedActions.push(event.record);
        return;
      case 'world':
        options.room()?.sendWorld(event.packets);
        return;
      case 'recalled':
        store.setState(({ actions }) => ({ actions: withRecalled(actions, event.actions) }));
        return;
      case 'emergency':
        options.onEmergency(event.latched);
        return;
      case 'restored':
      case 'not-restored':
      case 'keeping':
        options.onKeeper(event);
        return;
      case 'suspended':
        suspension = {
          text: `Frozen by the browser for ${Math.max(1, Math.round(event.gapMs / 1000))} s`,
          untilMs: deps.nowMs() + SUSPENSION_SHOWN_MS,
        };
        return;
    }
  }

  function adoptLayout(next: ScenePlace): void {
    layout = next;
    store.setState(({ layoutVersion }) => ({ layoutVersion: layoutVersion + 1 }));
    setPart(store, 'world', { done: true });
    cameras.setLayout(next);
  }

  function allowCameras(): void {
    if (camerasWanted && (wasReady || deps.camerasBesidePhysics)) cameras.allow();
  }

  function showCameraSteps(done: number, total: number): void {
    setPart(store, 'cameras', { fraction: done / total, note: `${done} of ${total} steps` });
  }

  return {
    simulation,
    async cameras() {
      if (disposed) throw new Error(WORLD_ENDED);
      if (!camerasWanted) throw new Error(NO_ROBOT_YET);
      return cameras.ready();
    },
    layout: () => layout,
    latest: () => renderState,
    overlay: () => overlay,
    wantCameras() {
      camerasWanted = true;
      allowCameras();
    },
    setQuiet(next) {
      if (quiet === next) return;
      quiet = next;
      reportVisibility();
    },
    dispose() {
      disposed = true;
      unsubscribe();
      simulation.dispose();
      cameras.dispose(WORLD_ENDED);
    },
  };
}

const NO_ROBOT_YET = 'There is no robot yet: give the page a key, or try the robot here.';
const WORLD_ENDED = 'The world was restarted before its cameras were ready. Ask again.';

function camerasPart(state: CameraState): Parameters<typeof setPart>[2] {
  if (state.kind === 'ready') return { done: true };
  return state.kind === 'broken' ? { done: true, problem: state.message } : { fraction: 0 };
}

const MEGABYTE = 1_000_000;
const megabytes = ({ loaded, total }: { loaded: number; total: number }): string =>
  `${(loaded / MEGABYTE).toFixed(1)} of ${(total / MEGABYTE).toFixed(1)} MB`;
