/** What a page asks of an SFU, read from its connections. */
import { gunzipSync } from 'node:zlib';
import { JoinRequest, SignalResponse, WrappedJoinRequest, WrappedJoinRequest_Compression } from '@livekit/protocol';
import type { Page } from 'playwright-core';

/** Whether a page's connection asks for a place in the room; a resume only goes on with one, or asks whose it is. */
export function isJoin(socketUrl: string): boolean {
  const packed = new URL(socketUrl).searchParams.get('join_request');
  if (packed === null) throw new Error(`A connection without a request to join: ${new URL(socketUrl).pathname}`);
  const { compression, joinRequest } = WrappedJoinRequest.fromBinary(Buffer.from(packed, 'base64url'));
  const isPacked = compression === WrappedJoinRequest_Compression.GZIP;
  return !JoinRequest.fromBinary(isPacked ? gunzipSync(joinRequest) : joinRequest).reconnect;
}

/** The joins of a page from now on, in their order, and whether the SFU has answered each: it may put a page out before. */
export function joinsOf(page: Page): { isAnswered: boolean }[] {
  const joins: { isAnswered: boolean }[] = [];
  page.on('websocket', (socket) => {
    if (!isJoin(socket.url())) return;
    const join = { isAnswered: false };
    joins.push(join);
    socket.on('framereceived', ({ payload }) => {
      join.isAnswered ||= SignalResponse.fromBinary(Buffer.from(payload)).message.case === 'join';
    });
  });
  return joins;
}
