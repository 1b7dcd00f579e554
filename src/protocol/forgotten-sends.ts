/** The part of LiveKit's engine that sends. */
export interface SendingEngine<Packet, Kind> {
  sendDataPacket(packet: Packet, kind: Kind): Promise<void>;
}

/**
 * Handles the failures of sends whose promise LiveKit forgets: its room sends each call, acknowledgement and reply of RPC without
 * looking whether that succeeds. On a connection that has just closed each would otherwise be an unhandled rejection in the page.
 * Whoever keeps the promise of a send still hears of its failure. Call this before joining the room.
 */
export function handleForgottenSends<Packet, Kind>(engine: SendingEngine<Packet, Kind>): void {
  const send = engine.sendDataPacket.bind(engine);
  engine.sendDataPacket = (packet, kind) => {
    const sent = send(packet, kind);
    sent.catch(() => undefined);
    return sent;
  };
}
