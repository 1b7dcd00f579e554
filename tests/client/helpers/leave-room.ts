/** Rooms of `@livekit/rtc-node`, and leaving one for sure, as the client library does: for tests of other rooms, which do not see its inside. */
export { leaveRoom, nodeTransport } from '../../../src/client/internal/transport/node-transport.ts';
