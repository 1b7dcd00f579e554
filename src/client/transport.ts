/** The part of a LiveKit room that the library needs; one implementation for Node, one for browsers. */
export interface RoomTransport {
  /**
   * Joins. Participants that are in the room already are in `participants()` when it settles.
   * @throws Error that names no part of the token
   */
  connect(url: string, token: string, listener: RoomListener): Promise<void>;
  /** Identities of the others in the room. */
  participants(): string[];
  /**
   * Calls a method of another participant and gives its reply text.
   * @param timeoutMs longest wait for the reply
   * @throws CallFailure
   */
  call(request: { to: string; method: string; payload: string; timeoutMs: number }): Promise<string>;
  /**
   * Byte streams of this topic reach the handler until what is returned is called. One handler for a topic. Without one, streams are
   * dropped unopened.
   */
  onByteStream(topic: string, handler: (stream: IncomingStream) => void): () => void;
  /**
   * Data packets of this topic reach the handler. Without it, no events of the robot are heard: a session then learns of a driver's
   * change by its next call.
   */
  onData?(topic: string, handler: (packet: IncomingPacket) => void): void;
  /**
   * Sends a packet to one participant, which may lose it. Without it poses go as calls, which come late over a line that loses packets.
   */
  sendLossy?(packet: { to: string; topic: string; bytes: Uint8Array }): void;
  /** Leaves, also a room whose joining has not ended yet. Never rejects; a second call does nothing. */
  disconnect(): Promise<void>;
}

/** Is told what happens in a room. */
export interface RoomListener {
  /** Another participant has joined; not called for those that were there first. */
  participantJoined(identity: string): void;
  /** Another participant has left, or was lost. */
  participantLeft(identity: string): void;
  /** The connection broke and is made again. */
  reconnecting(): void;
  /** The connection is back. */
  reconnected(): void;
  /** The room is over for this client. @param reason in a word or two, e.g. "room deleted" */
  disconnected(reason: string): void;
}

/** A data packet. */
export interface IncomingPacket {
  /** Identity of the sender, which the SFU vouches for. */
  from: string;
  /** What it holds. */
  bytes: Uint8Array;
}

/** A byte stream whose first packet has come. */
export interface IncomingStream {
  /** Identity of the sender. */
  from: string;
  /** Name of the stream, as its sender chose it. */
  name: string;
  /** Facts beside the bytes, e.g. `request_id`, `sha256`. */
  attributes: Readonly<Record<string, string>>;
  /**
   * All its bytes, once it has ended.
   * @param maxBytes more than these are no bytes at all
   * @param givenUp once it has fired nobody waits any more: what was kept is dropped at once, and so is what still comes
   * @throws Error when it breaks off, has more or was given up
   */
  read(maxBytes: number, givenUp: AbortSignal): Promise<Uint8Array>;
  /** Nobody wants it: nothing of it is kept. To be called of every stream that is not read. */
  drop(): void;
}

/**
 * Why a call brought no reply.
 * - `lost`: nobody can say whether it arrived: no acknowledgement, no reply, a connection that broke
 * - `absent`: the participant is not in the room, so nothing happened
 * - `unsupported`: the participant has no such method, so nothing happened
 * - `too_large`: the payload or the reply is larger than an RPC carries
 * - `fault`: the method threw
 */
export type CallFailureReason = 'lost' | 'absent' | 'unsupported' | 'too_large' | 'fault';
