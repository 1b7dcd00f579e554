/** The requests of a page to an SFU, read from its connections. */
import { gunzipSync } from 'node:zlib';
import { JoinRequest, SignalResponse, WrappedJoinRequest, WrappedJoinRequest_Compression } from '@livekit/protocol';
import type { Page } from 'playwright-core';

/** Whether a page’s connection asks to join; a resume only continues a join, or asks who has it. */
export function isJoin(socketUrl: string): boolean {
  const packed = new URL(socketUrl).searchParams.get('join_request');
  if (packed === null) throw new Error(`A connection without a request to join: ${new URL(socketUrl).pathname}`);
  const { compression, joinRequest } = WrappedJoinRequest.fromBinary(Buffer.from(packed, 'base64url'));
  const isPacked = compression === WrappedJoinRequest_Compression.GZIP;
  return !JoinRequest.fromBinary(isPacked ? gunzipSync(joinRequest) : joinRequest).reconnect;
}

/** The later joins of a page in order, and whether the SFU answered each: it may disconnect the page before it answers. */
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
