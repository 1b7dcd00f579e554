import type { Cameras } from '../../cameras/camera-client.ts';
import type { ScenePlace } from '../../protocol/place.ts';
import type { RoomManager, RoomManagerDeps } from '../../room/room-manager.ts';
import type { WorldMarkStore } from './kept/world-mark.ts';
import type { AskedContract } from './profile-mark.ts';
import type { ResultStore } from './result-store.ts';
import type { SimulationClient, SimulationEvent, startSimulation } from './simulation-client.ts';

export type RoomEvents = Pick<RoomManagerDeps, 'onCall' | 'onState' | 'onParticipants' | 'onKey' | 'onMetadata' | 'onOutOfReach'>;

/** Everything of the browser that the engine uses, so that its wiring is tested without one. */
export interface EngineDeps {
  /** What the link or this tab's storage held: a key or a link, unchecked. */
  takenKey: string | null;
  /** What the page's address asks for. */
  contract: AskedContract;
  /**
   * Asks whoever served this page for a new key, with the token of a session that has ended; null where there is none to be had.
   * Absent where the page comes from another machine.
   */
  askToComeBack?(token: string): Promise<string | null>;
  /** Keeps the key for a reload of this tab; null forgets it. */
  keepKey(key: string | null): void;
  /** Was the emergency stop of this tab's worker latched before a reload? */
  wasEmergencyStopped: boolean;
  /** Keeps for a reload of this tab whether it is latched. */
  keepEmergencyStop(latched: boolean): void;
  /** What this tab noted of its world before a reload. */
  worldMark: WorldMarkStore;
  /** Where the world of a robot of this tab alone is kept; null for nowhere. @param isNew another place from now on */
  localPlace(isNew: boolean): string | null;
  /** Results that outlive a reload, of one place: a room, and who the robot is there. */
  openResults(place: string): ResultStore;
  startSimulation(options: Parameters<typeof startSimulation>[0], onEvent: (event: SimulationEvent) => void): SimulationClient;
  /** Is there a processor to spare for the cameras while the physics starts? Otherwise they start when the robot can act. */
  camerasBesidePhysics: boolean;
  /** Loads the cameras' code and starts their worker. */
  createCameras(options: { layout: ScenePlace; onProgress: (done: number, total: number) => void }): Promise<Cameras>;
  /** Loads the room's code, LiveKit included. */
  createRoom(events: RoomEvents): Promise<RoomManager>;
  /** Does the browser believe that there is a network? The listener is called when that changes. */
  network: { isOnline(): boolean; subscribe(onChange: () => void): () => void };
  visibility: { isHidden(): boolean; subscribe(onChange: () => void): () => void };
  /** Calls the listener when the page goes away, by a reload for one; returns how to stop that. */
  onPageHide(listener: () => void): () => void;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Of the page, e.g. `https:`. */
  pageProtocol: string;
  /** Whether the browser grants this page what LiveKit needs to answer calls: https, or this machine itself. */
  isSecurePage: boolean;
  productVersion: string;
  seed: number;
  newRequestId(): string;
}
