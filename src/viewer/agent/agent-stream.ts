import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  AGENT_ROBOT_ID,
  CALLS_SHOWN_MAX,
  type SeenAgent,
  type SeenCall,
  type SeenWorld,
} from '../../protocol/service/agent-watch.ts';
import { simulatorIdentity } from '../../protocol/wire/identity.ts';
import { WORLD_TOPIC } from '../../protocol/world-stream/world-frame.ts';
import type { VisitorRoom } from '../../room/visitor-room.ts';
import type { VisitorRoomEvents } from '../engine/visitor/visitor-engine.ts';

/** The agent as the page knows it, and its calls. */
export interface AgentSeen {
  agent: SeenAgent;
  world: SeenWorld | null;
  /** Newest first. */
  calls: readonly SeenCall[];
  /** The process has ended, or cannot be reached. */
  isEnded: boolean;
}

/** The parts of the browser's EventSource that the page uses. */
export interface Source {
  addEventListener(name: string, take: (event: { data?: unknown }) => void): void;
  close(): void;
}

export interface AgentStreamDeps {
  open(): Source;
  /** Makes a scene from a file known. @returns when it is known, or cannot be */
  takeScene(file: string): Promise<void>;
  after(ms: number, act: () => void): () => void;
}

/** The visitor's engine needs a room; this one is the stream of the process that runs the agent's robot. */
export interface AgentStream {
  seen: StoreApi<AgentSeen>;
  createRoom(events: VisitorRoomEvents): VisitorRoom;
}

const RETRY_AFTER_MS = 1_500;
const ROBOT = simulatorIdentity(AGENT_ROBOT_ID);
const ONLY_SHOWS = 'This page only shows the robot.';
export const ENDED = 'The agent’s robot has ended.';

/** Creates the transport of a page that shows an agent's robot. */
export function createAgentStream({ open, takeScene, after }: AgentStreamDeps): AgentStream {
  const seen = createStore<AgentSeen>(() => ({ agent: { name: null }, world: null, calls: [], isEnded: false }));

  function createRoom(events: VisitorRoomEvents): VisitorRoom {
    let source: Source | null = null;
    let stopWaiting = (): void => undefined;
    let attempt = 0;
    let isThere = false;

    function join(): void {
      stopWaiting();
      source?.close();
      const mine = open();
      source = mine;
      const on = <T>(name: string, take: (data: T) => void): void =>
        mine.addEventListener(name, ({ data }) => {
          if (source === mine && typeof data === 'string') take((name === 'packet' ? data : JSON.parse(data)) as T);
        });
      on<SeenAgent>('agent', (agent) => seen.setState({ agent }));
      on<SeenWorld>('world', (world) => void enter(mine, world));
      on<SeenCall>('call', note);
      on<string>('packet', (text) => {
        if (isThere) events.onData({ bytes: bytesOf(text), topic: WORLD_TOPIC, identity: ROBOT });
      });
      on<null>('end', () => lose(mine));
      mine.addEventListener('error', () => lose(mine));
    }

    /** The robot of each world is another participant: its clock and its stream are others. */
    async function enter(mine: Source, world: SeenWorld): Promise<void> {
      const before = seen.getState().world;
      const isOther = world.startedAtMs !== before?.startedAtMs;
      isThere = false;
      if (world.sceneFile !== null && world.sceneFile !== before?.sceneFile) await takeScene(world.sceneFile);
      if (source !== mine) return;
      attempt = 0;
      isThere = true;
      seen.setState({ world, isEnded: false });
      events.onState({ kind: 'connected' });
      events.onMetadata(JSON.stringify({ robot_id: AGENT_ROBOT_ID }));
      const robot = { identity: ROBOT, name: 'Agent’s robot', joinedAtMs: world.startedAtMs, isSelf: false };
      if (isOther) events.onParticipants([]);
      events.onParticipants([robot]);
    }

    /** After a restart, the numbers of the calls begin again. */
    function note(call: SeenCall): void {
      seen.setState(({ calls }) => {
        const isOtherRun = calls.some(({ number, startedAtMs }) => number === call.number && startedAtMs !== call.startedAtMs);
        const others = isOtherRun ? [] : calls.filter(({ number }) => number !== call.number);
        return { calls: [...others, call].toSorted((a, b) => b.number - a.number).slice(0, CALLS_SHOWN_MAX) };
      });
    }

    function lose(mine: Source): void {
      if (source !== mine) return;
      mine.close();
      source = null;
      isThere = false;
      attempt += 1;
      seen.setState({ isEnded: true });
      events.onState({ kind: 'rejoining', attempt, reason: ENDED });
      stopWaiting = after(RETRY_AFTER_MS, join);
    }

    function close(): void {
      stopWaiting();
      source?.close();
      source = null;
    }

    return {
      join,
      call: () => Promise.reject(new Error(ONLY_SHOWS)),
      sendLossy: () => undefined,
      leave: async () => close(),
      dispose: close,
    };
  }

  return { seen, createRoom };
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
