/** The part of a LiveKit room that the library needs; one implementation for Node, one for browsers. */
export interface RoomTransport {
  /**
   * Joins the room. When it settles, `participants()` contains everyone who was already there.
   * @throws Error that repeats no part of the token
   */
  connect(url: string, token: string, listener: RoomListener): Promise<void>;
  /** Returns the metadata of the joined room, as text. A transport without it gives no facts about the robot. */
  metadata?(): string | undefined;
  /** Returns the identities of the other participants. */
  participants(): string[];
  /**
   * Calls a method of another participant and returns its reply text.
   * @param timeoutMs longest wait for the reply
   * @throws CallFailure
   */
  call(request: { to: string; method: string; payload: string; timeoutMs: number }): Promise<string>;
  /**
   * Passes byte streams of this topic to the handler until the returned function is called. One handler per topic. Without a
   * handler, streams are dropped unopened.
   */
  onByteStream(topic: string, handler: (stream: IncomingStream) => void): () => void;
  /**
   * Passes data packets of this topic to the handler. A transport without it gets no events of the robot: the session then learns
   * of a new driver only by its next call.
   */
  onData?(topic: string, handler: (packet: IncomingPacket) => void): void;
  /**
   * Sends a packet to one participant; it may get lost. A transport without it sends poses as calls, which arrive late if packets
   * get lost.
   */
  sendLossy?(packet: { to: string; topic: string; bytes: Uint8Array }): void;
  /** Leaves the room, also while a join is under way. Never rejects; a second call does nothing. */
  disconnect(): Promise<void>;
}

/** Receives the events of a room. */
export interface RoomListener {
  /** Another participant has joined. Not called for participants who were there first. */
  participantJoined(identity: string): void;
  /** Another participant has left, or was lost. */
  participantLeft(identity: string): void;
  /** The connection broke and is being restored. */
  reconnecting(): void;
  /** The connection is restored. */
  reconnected(): void;
  /** The room is over for this client. @param reason one or two words, e.g. "room deleted" */
  disconnected(reason: string): void;
}

/** A data packet. */
export interface IncomingPacket {
  /** Identity of the sender, vouched for by the SFU. */
  from: string;
  /** The content of the packet. */
  bytes: Uint8Array;
}

/** A byte stream whose first packet has arrived. */
export interface IncomingStream {
  /** Identity of the sender. */
  from: string;
  /** Name of the stream, chosen by its sender. */
  name: string;
  /** Metadata of the stream, e.g. `request_id`, `sha256`. */
  attributes: Readonly<Record<string, string>>;
  /**
   * Returns all bytes of the stream, once it has ended.
   * @param maxBytes the limit; a longer stream is an error
   * @param givenUp when it fires, the stored bytes are dropped immediately, and so are all further ones
   * @throws Error when the stream breaks off, is too long or was given up
   */
  read(maxBytes: number, givenUp: AbortSignal): Promise<Uint8Array>;
  /** Discards the stream. Call it for every stream that is not read. */
  drop(): void;
}

/**
 * Why a call brought no reply.
 * - `lost`: it is unknown whether the call arrived: no acknowledgement, no reply, or a broken connection
 * - `absent`: the participant is not in the room, so nothing happened
 * - `unsupported`: the participant has no such method, so nothing happened
 * - `too_large`: the payload or the reply is larger than an RPC carries
 * - `fault`: the method threw
 */
export type CallFailureReason = 'lost' | 'absent' | 'unsupported' | 'too_large' | 'fault';
