/** Leaving a room of `@livekit/rtc-node` for sure, as the client library does: for tests of other rooms, which do not see its inside. */
export { leaveRoom } from '../../../src/client/internal/transport/node-transport.ts';
