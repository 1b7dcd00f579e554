import type { Cameras } from '../../cameras/camera-client.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { SceneId } from '../../protocol/wire/scene-ids.ts';
import type { RoomManager, RoomManagerDeps } from '../../room/room-manager.ts';
import type { StopRecord } from './kept/stop-record.ts';
import type { AskedContract } from './page-address.ts';
import type { SimulationClient, SimulationEvent, startSimulation } from './simulation-client.ts';
import type { WorldMarkStore } from './tab-storage.ts';

export type RoomEvents = Pick<
  RoomManagerDeps,
  'onCall' | 'onState' | 'onParticipants' | 'onLeft' | 'onWatchers' | 'onKey' | 'onMetadata' | 'onOutOfReach'
>;

/** All browser features that the engine uses, passed in so that its wiring can be tested without a browser. */
export interface EngineDeps {
  /** The key or link from the address or this tab's storage, unchecked. */
  takenKey: string | null;
  /** Why this page accepts no room keys; null or absent if it accepts them. */
  keyProblem?: string | null;
  /** The contract that the page's address asks for. */
  contract: AskedContract;
  /**
   * Asks this page's server for a new key, with the token of a session that has ended; null if there is none. Absent when the
   * page comes from another machine.
   */
  askToComeBack?(token: string): Promise<string | null>;
  /** Stores the key for a reload of this tab; null removes it. */
  keepKey(key: string | null): void;
  /** The browser's records of latched emergency stops. */
  stops: StopRecord;
  /** The tab's notes on its world, for a reload. */
  worldMark: WorldMarkStore;
  /**
   * Returns the place where the world of a robot of this tab alone is stored; null if the browser stores nothing for a tab.
   * Absent for a page that must not store it. @param isNew uses another place from now on
   */
  localPlace?(isNew: boolean): string | null;
  startSimulation(options: Parameters<typeof startSimulation>[0], onEvent: (event: SimulationEvent) => void): SimulationClient;
  /** Whether a CPU core is free for the cameras while the physics starts. Otherwise they start when the robot can act. */
  camerasBesidePhysics: boolean;
  /** Loads the cameras' code and starts their worker. */
  createCameras(options: { layout: ScenePlace; onProgress: (done: number, total: number) => void }): Promise<Cameras>;
  /** Loads the room's code, LiveKit included. */
  createRoom(events: RoomEvents): Promise<RoomManager>;
  /** Whether the browser reports a network. The listener is called when that changes. */
  network: { isOnline(): boolean; subscribe(onChange: () => void): () => void };
  visibility: { isHidden(): boolean; subscribe(onChange: () => void): () => void };
  /** Calls the listener when the page is unloaded, for example by a reload. Returns a function that removes the listener. */
  onPageHide(listener: () => void): () => void;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Protocol of the page, e.g. `https:`. */
  pageProtocol: string;
  /**
   * Whether the browser grants this page the features that LiveKit needs to answer calls: over https, or from this machine
   * itself.
   */
  isSecurePage: boolean;
  productVersion: string;
  seed: number;
  /** The scene that the page's address asks for. */
  sceneId: SceneId;
  /** The robot that the page's address asks for. */
  robotId: RobotId;
  /** Returns an id that nothing else has. */
  newId(): string;
}
