/** A participant with only LiveKit: the reference for our page. */
import { Room } from 'livekit-client';
import './messages.ts';

const room = new Room();
room.registerRpcMethod('echo', async ({ payload }) => payload);

const echoWorker = new Worker(new URL('./echo-worker.ts', import.meta.url), { type: 'module' });
/** One call at a time requests it. */
const throughWorker = (payload: string): Promise<string> =>
  new Promise((resolve) => {
    echoWorker.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data), { once: true });
    echoWorker.postMessage(payload);
  });
room.registerRpcMethod('echo-of-worker', ({ payload }) => throughWorker(payload));

window.joinAsPeer = async ({ url, token }) => {
  await room.connect(url, token, { autoSubscribe: false });
};
window.sendBytes = async (destinationIdentity, topic, byteCount) => {
  // Incompressible, as pictures are.
  const bytes = new Uint8Array(byteCount);
  for (let at = 0; at < byteCount; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await room.localParticipant.sendBytes(bytes, { topic, destinationIdentities: [destinationIdentity], compress: false });
};
