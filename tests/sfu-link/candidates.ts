/** Makes both ends of a signal connection use the link's address for the SFU. */
import { SignalRequest, SignalResponse, TrickleRequest } from '@livekit/protocol';

/** The ports at which the SFU's media is reached: its own ports, or those of the link. */
export interface MediaPorts {
  udp: number;
  tcp: number;
}

/** `candidate:<foundation> <component> <transport> <priority> <address> <port> typ …` */
const CANDIDATE = /(candidate:\S+ \d+ (udp|tcp) \d+ \S+) (\d+) typ/gi;

/**
 * Changes a message of the SFU: its candidates get the ports of the link. Candidates of a transport that the link does
 * not carry are removed.
 * @param learn receives the SFU's own ports as they appear
 */
export function moveCandidates(
  message: Uint8Array,
  link: Partial<MediaPorts>,
  learn: (ports: Partial<MediaPorts>) => void,
): Uint8Array | null {
  const response = SignalResponse.fromBinary(message);
  const move = (text: string): string =>
    text.replace(CANDIDATE, (_all, head: string, transport: string, port: string) => {
      const kind = transport.toLowerCase() as keyof MediaPorts;
      learn({ [kind]: Number(port) });
      return `${head} ${link[kind] ?? NO_PORT} typ`;
    });
  const { message: said } = response;
  if (said.case === 'answer' || said.case === 'offer') said.value.sdp = dropUncarried(move(said.value.sdp));
  else if (said.case === 'trickle') {
    const moved = move(said.value.candidateInit);
    if (isUncarried(moved)) return null;
    said.value.candidateInit = moved;
  } else return message;
  return response.toBinary();
}

/** Changes a message of a participant: removes its own candidates, because the SFU would use them to bypass the link. */
export function hideCandidates(message: Uint8Array): Uint8Array | null {
  const request = SignalRequest.fromBinary(message);
  const { message: said } = request;
  if (said.case === 'trickle') {
    if (!said.value.final) return null;
    request.message = { case: 'trickle', value: new TrickleRequest({ ...said.value, candidateInit: '{"candidate":""}' }) };
  } else if (said.case === 'answer' || said.case === 'offer') {
    said.value.sdp = said.value.sdp.replace(/^a=candidate:.*\r?\n/gm, '');
  } else return message;
  return request.toBinary();
}

const NO_PORT = 0;
const isUncarried = (candidate: string): boolean => candidate.includes(` ${NO_PORT} typ`);
const dropUncarried = (sdp: string): string => sdp.replace(/^a=candidate:.* 0 typ.*\r?\n/gm, '');
