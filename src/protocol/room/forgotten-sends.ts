/** The part of LiveKit's engine that sends. */
export interface SendingEngine<Packet, Kind> {
  sendDataPacket(packet: Packet, kind: Kind): Promise<void>;
}

/**
 * Handles the failures of sends whose promise LiveKit drops: its room sends each call, acknowledgement and reply of RPC without
 * waiting for the outcome. On a connection that has just closed, each would otherwise be an unhandled rejection in the page. A
 * caller that keeps the promise of a send still receives its failure. Call this before joining the room.
 */
export function handleForgottenSends<Packet, Kind>(engine: SendingEngine<Packet, Kind>): void {
  const send = engine.sendDataPacket.bind(engine);
  engine.sendDataPacket = (packet, kind) => {
    const sent = send(packet, kind);
    sent.catch(() => undefined);
    return sent;
  };
}
