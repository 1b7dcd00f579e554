/**
 * A participant that speaks the wire directly over LiveKit's Node SDK: for calls that the client library would never send, and to judge
 * the robot without trusting our own library.
 */
import { createHash } from 'node:crypto';
import { type ByteStreamReader, type RemoteParticipant, Room, RoomEvent, RpcError } from '@livekit/rtc-node';
import { EVENTS_TOPIC, type RoomEvent as ReportedEvent, readRoomEvent } from '../../../src/protocol/room/room-events.ts';
import { profileOfIdentity } from '../../../src/protocol/wire/identity.ts';
import { leaveRoom } from '../../client/helpers/leave-room.ts';

/** How long one probe waits for its answer: the first, the second, …; the last holds for all that follow. */
const PROBE_PATIENCES_MS = [1_000, 2_000, 4_000, 8_000];
const PROBE_EVERY_MS = 100;

export interface ReceivedFile {
  bytes: Buffer;
  name: string;
  attributes: Record<string, string>;
  sha256: string;
}

export class WireParticipant {
  readonly room = new Room();
  private readonly files: ReceivedFile[] = [];
  private readonly fileWaiters: (() => void)[] = [];

  static async join(url: string, token: string, topics: string[] = ['platform.camera_capture']): Promise<WireParticipant> {
    const participant = new WireParticipant();
    for (const topic of topics) participant.receiveFilesOf(topic);
    await participant.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    return participant;
  }

  private receiveFilesOf(topic: string): void {
    const receive = async (reader: ByteStreamReader): Promise<void> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of reader) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      this.files.push({
        bytes,
        name: reader.info.name ?? '',
        attributes: { ...reader.info.attributes },
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      for (const wake of this.fileWaiters.splice(0)) wake();
    };
    this.room.registerByteStreamHandler(topic, (reader) => void receive(reader));
  }

  /** The file whose attribute `request_id` is this, as soon as it is there. */
  async file(requestId: string): Promise<ReceivedFile> {
    for (;;) {
      const found = this.files.find((file) => file.attributes.request_id === requestId);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.fileWaiters.push(resolve);
      });
    }
  }

  get filesReceived(): number {
    return this.files.length;
  }

  /**
   * Settles with the next event that the runtime reports to the room and that fits. It has the runtime's own time, so that a busy
   * machine, which reads it late, does not change what is judged.
   */
  reported(fits: (event: ReportedEvent) => boolean): Promise<ReportedEvent> {
    return new Promise((resolve) => {
      const read = (bytes: Uint8Array, _from?: RemoteParticipant, _kind?: unknown, topic?: string): void => {
        const event = topic === EVENTS_TOPIC ? readRoomEvent(new TextDecoder().decode(bytes)) : null;
        if (!event || !fits(event)) return;
        this.room.off(RoomEvent.DataReceived, read);
        resolve(event);
      };
      this.room.on(RoomEvent.DataReceived, read);
    });
  }

  /** Identity of the runtime, as soon as one is in the room. @throws when the room is over, into which none comes any more */
  async runtimeIdentity(): Promise<string> {
    for (;;) {
      for (const participant of this.room.remoteParticipants.values()) {
        if (profileOfIdentity(participant.identity) !== null) return participant.identity;
      }
      if (!this.room.isConnected) throw new Error('the room is over');
      await new Promise<void>((resolve) => {
        const changed = (): void => {
          this.room.off(RoomEvent.ParticipantConnected, changed);
          this.room.off(RoomEvent.Disconnected, changed);
          resolve();
        };
        this.room.on(RoomEvent.ParticipantConnected, changed);
        this.room.on(RoomEvent.Disconnected, changed);
      });
    }
  }

  /** Sends a payload as it is and answers with the reply's text. */
  async callText(method: string, payload: string, timeoutMs = 30_000): Promise<string> {
    const local = this.room.localParticipant;
    if (!local) throw new Error('not in the room');
    return local.performRpc({ destinationIdentity: await this.runtimeIdentity(), method, payload, responseTimeout: timeoutMs });
  }

  /** Calls with JSON both ways. The reply is whatever the runtime sent. */
  // biome-ignore lint/suspicious/noExplicitAny: replies are judged field by field in the tests.
  async call(method: string, request: unknown = {}, timeoutMs = 30_000): Promise<any> {
    return JSON.parse(await this.callText(method, JSON.stringify(request), timeoutMs));
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  async invoke(name: string, input: unknown = {}, options?: unknown, timeoutMs = 60_000): Promise<any> {
    return this.call('runtime.tools_call', { name, input, ...(options ? { options } : {}) }, timeoutMs);
  }

  /**
   * Waits until the runtime answers tools_list with a list: the wire's own probe, without a recipe. A call to a tab that has been reloaded,
   * or that does not hear yet, is lost without a word: a runtime that enters the room is asked at once, and the first calls have little patience.
   */
  async ready(timeoutMs = 180_000): Promise<void> {
    const deadlineMs = Date.now() + timeoutMs;
    for (let turn = 0; ; turn += 1) {
      const patienceMs = PROBE_PATIENCES_MS[Math.min(turn, PROBE_PATIENCES_MS.length - 1)];
      const entry = this.runtimeEnters();
      const reply = await Promise.race([this.probe(patienceMs, deadlineMs), entry.happens]);
      entry.forget();
      if (Array.isArray(JSON.parse(reply))) return;
      if (Date.now() > deadlineMs) throw new Error(`the runtime is not ready: ${reply}`);
      // Readiness has no event.
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  }

  /** Returns the runtime's answer to tools_list; an empty reply when the call is lost. */
  private async probe(patienceMs: number | undefined, deadlineMs: number): Promise<string> {
    return this.callText('runtime.tools_list', '{}', patienceMs).catch((error: unknown) => {
      if (error instanceof RpcError && Date.now() < deadlineMs) return '{}';
      throw error;
    });
  }

  /** The next time that a runtime enters the room, which counts as an empty reply. */
  private runtimeEnters(): { happens: Promise<string>; forget(): void } {
    let onEntry = (_participant: RemoteParticipant): void => {};
    const happens = new Promise<string>((resolve) => {
      onEntry = ({ identity }) => profileOfIdentity(identity) !== null && resolve('{}');
    });
    this.room.on(RoomEvent.ParticipantConnected, onEntry);
    return { happens, forget: () => void this.room.off(RoomEvent.ParticipantConnected, onEntry) };
  }

  async leave(): Promise<void> {
    await leaveRoom(this.room);
  }
}
