/** Rooms of `@livekit/rtc-node`, and a reliable way to leave one, for tests that do not use the client library. */
export { leaveRoom, nodeTransport } from '../../../src/client/internal/transport/node-transport.ts';
