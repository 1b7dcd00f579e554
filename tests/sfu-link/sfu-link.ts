/**
 * A link between participants and an SFU that can be slow, lossy or silent, in this process and without special rights.
 * Both signalling (WebSocket and HTTP over TCP) and media (ICE over UDP and TCP) pass through it. Participants with the
 * fault get the link's `url` instead of the SFU's; participants without it keep the SFU's.
 *
 *   const link = await startSfuLink(sfu.url);
 *   await room.connect(link.url, token);
 *   link.set({ silent: 'both' }); // the cable is unplugged
 *   link.set({ silent: 'neither', delayMs: 300, bytesPerSecond: 125_000 }); // RTT 600 ms, 1 Mbit/s
 *   link.drop(); // TCP connections are reset, and both ends notice
 *   await link.close();
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { SignalRequest } from '@livekit/protocol';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { hideCandidates, type MediaPorts, moveCandidates } from './candidates.ts';
import { createOneWay, GOOD_LINK, type LinkConditions, type OneWay, type Way, type WayCounts } from './pipe.ts';
import { createFrameChanger, writeMessage } from './signal-frames.ts';

export type { LinkConditions, WayCounts } from './pipe.ts';
export { GOOD_LINK } from './pipe.ts';

export interface SfuLinkOptions {
  /** The initial conditions; the defaults are those of {@link GOOD_LINK}. */
  conditions?: Partial<LinkConditions>;
  /** The transport that media may use; the SFU's candidates for the other transport are removed. @default 'udp and tcp' */
  media?: 'udp' | 'tcp' | 'udp and tcp';
  /** Determines which packets are lost. @default 1 */
  seed?: number;
}

export interface SfuLink {
  /** The address that participants connect to, `ws://127.0.0.1:…`. */
  readonly url: string;
  /** The same for server calls, `http://127.0.0.1:…`. */
  readonly httpUrl: string;
  /** Changes the given conditions, and keeps the rest, for everything that passes from then on. */
  set(conditions: Partial<LinkConditions>): void;
  readonly conditions: LinkConditions;
  /** Resets every TCP connection at both of its ends. Datagrams still pass. */
  drop(): void;
  /**
   * Sends a message to the SFU in the name of every participant behind the link, as its own SDK would: LiveKit simulates
   * a server that leaves, moves or fails for a participant that requests it.
   */
  sendToSfu(request: SignalRequest): void;
  /** The numbers of packets that passed and that were lost, in each direction. */
  readonly counts: Readonly<Record<Way, WayCounts>>;
  /** Closes everything that passes. */
  close(): Promise<void>;
}

const ANY_ADDRESS = '0.0.0.0';

/**
 * Starts a link to an SFU of this machine.
 * @param sfuUrl in the form of `Sfu.url`, `ws://127.0.0.1:7880`
 */
export async function startSfuLink(sfuUrl: string, options: SfuLinkOptions = {}): Promise<SfuLink> {
  const { media = 'udp and tcp', seed = 1 } = options;
  const sfu = new URL(sfuUrl);
  const conditions: LinkConditions = { ...GOOD_LINK, ...options.conditions };
  const random = createRandom(seed);
  const oneWay = (way: Way): OneWay =>
    createOneWay(
      way,
      () => conditions,
      () => nextFloat(random),
    );
  const ways: Record<Way, OneWay> = { 'to-sfu': oneWay('to-sfu'), 'from-sfu': oneWay('from-sfu') };
  /** The SFU's own ports, as its candidates show them. */
  const sfuMedia: Partial<MediaPorts> = {};
  const sockets = new Set<Socket>();
  /** The signalling connections to the SFU on which it has already sent data. */
  const signals = new Set<Socket>();

  const mediaTcp = createServer((socket) => {
    if (sfuMedia.tcp === undefined) socket.destroy();
    else relay(socket, connect(sfuMedia.tcp, sfu.hostname), asItIs, asItIs);
  });
  const datagrams = createDatagramRelay({ ways, sfuHost: sfu.hostname, sfuPort: () => sfuMedia.udp });
  const [mediaTcpPort, mediaUdpPort] = await Promise.all([listen(mediaTcp), datagrams.bind()]);
  const linkMedia: Partial<MediaPorts> = {
    ...(media === 'udp' ? {} : { tcp: mediaTcpPort }),
    ...(media === 'tcp' ? {} : { udp: mediaUdpPort }),
  };
  const signal = createServer((socket) => {
    const toSfu = createFrameChanger({ masked: true, change: hideCandidates });
    const server = connect(Number(sfu.port), sfu.hostname);
    server.on('close', () => signals.delete(server));
    const fromSfu = createFrameChanger({
      masked: false,
      change: (message) => {
        signals.add(server);
        return moveCandidates(message, linkMedia, (ports) => Object.assign(sfuMedia, ports));
      },
    });
    relay(socket, server, toSfu, fromSfu);
  });
  const signalPort = await listen(signal);

  function relay(participant: Socket, server: Socket, toSfu: ChangeBytes, fromSfu: ChangeBytes): void {
    pass(participant, server, ways['to-sfu'], toSfu);
    pass(server, participant, ways['from-sfu'], fromSfu);
  }

  /** The end of a connection is ordered in the stream too: over a silent link neither side learns of it. */
  function pass(from: Socket, to: Socket, way: OneWay, change: ChangeBytes): void {
    sockets.add(from);
    from.setNoDelay(true);
    const stream = way.stream();
    from.on('data', (bytes) => {
      const changed = change(bytes);
      if (changed.length > 0) stream.carry(changed.length, () => void to.write(changed));
    });
    from.on('end', () => stream.carry(0, () => void to.end()));
    from.on('error', () => stream.carry(0, () => void to.destroy()));
    from.on('close', () => {
      sockets.delete(from);
      stream.carry(0, () => void to.end());
    });
    to.on('close', () => stream.close());
  }

  return {
    url: `ws://127.0.0.1:${signalPort}`,
    httpUrl: `http://127.0.0.1:${signalPort}`,
    conditions,
    counts: { 'to-sfu': ways['to-sfu'].counts, 'from-sfu': ways['from-sfu'].counts },
    set(changes) {
      Object.assign(conditions, changes);
      for (const way of Object.values(ways)) way.changed();
    },
    drop() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    sendToSfu(request) {
      for (const socket of signals) socket.write(writeMessage(request.toBinary()));
    },
    async close() {
      for (const way of Object.values(ways)) way.close();
      for (const socket of sockets) socket.destroy();
      datagrams.close();
      await Promise.all([signal, mediaTcp].map((server) => new Promise((closed) => server.close(closed))));
    },
  };
}

type ChangeBytes = (bytes: Buffer) => Buffer;
const asItIs: ChangeBytes = (bytes) => bytes;

async function listen(server: Server): Promise<number> {
  server.listen(0, ANY_ADDRESS);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface DatagramRelayOptions {
  ways: Record<Way, OneWay>;
  sfuHost: string;
  /** Unknown until the SFU has sent a candidate. */
  sfuPort: () => number | undefined;
}

/** Each participant's address gets its own socket towards the SFU, as behind a NAT. */
function createDatagramRelay({ ways, sfuHost, sfuPort }: DatagramRelayOptions) {
  const outside = createSocket('udp4');
  const inside = new Map<string, UdpSocket>();

  function insideOf(address: string, port: number): UdpSocket {
    const name = `${address}:${port}`;
    const known = inside.get(name);
    if (known) return known;
    const socket = createSocket('udp4');
    inside.set(name, socket);
    socket.on('message', (bytes) => ways['from-sfu'].datagram(bytes.length, () => outside.send(bytes, port, address, ignore)));
    // A port without a listener is reported as an error in a later turn of the event loop.
    socket.on('error', ignore);
    return socket;
  }

  outside.on('error', ignore);
  outside.on('message', (bytes, { address, port }) => {
    const target = sfuPort();
    if (target === undefined) return;
    const socket = insideOf(address, port);
    ways['to-sfu'].datagram(bytes.length, () => socket.send(bytes, target, sfuHost, ignore));
  });
  return {
    async bind(): Promise<number> {
      outside.bind(0, ANY_ADDRESS);
      await once(outside, 'listening');
      return outside.address().port;
    },
    close() {
      outside.close();
      for (const socket of inside.values()) socket.close();
    },
  };
}

function ignore(): void {}
