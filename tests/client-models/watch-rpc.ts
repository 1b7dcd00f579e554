/** Checks the replies of a runtime, at the sender or at the receiver. */
import { LocalParticipant } from '@livekit/rtc-node';
import { checkRpcReply } from './check.ts';

let isWatching = false;

/**
 * Checks every reply that a participant of LiveKit's Node SDK gets in this process, including the client library's calls.
 * For rooms with a runtime of ours.
 */
export function watchRooms(): void {
  if (isWatching) return;
  isWatching = true;
  const { performRpc } = LocalParticipant.prototype;
  LocalParticipant.prototype.performRpc = async function (call) {
    const reply = await performRpc.call(this, call);
    if (call.method.startsWith('runtime.')) checkRpcReply(call.method, reply);
    return reply;
  };
}
