/** Puts the check under the replies of a runtime, where they are made or where they arrive. */
import { LocalParticipant } from '@livekit/rtc-node';
import { checkRpcReply } from './check.ts';

let isWatching = false;

/** Checks every reply that a participant of LiveKit's Node SDK gets in this process, the client library's calls too. For rooms with a runtime of ours. */
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
