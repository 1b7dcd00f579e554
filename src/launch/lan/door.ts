import type { IncomingMessage } from 'node:http';
import type { LogEntry } from '../../control-service/deps.ts';
import { LAN_CERTIFICATE_PATH, type LanPlace } from '../../protocol/service/lan.ts';
import { isRobotsPage } from '../../protocol/service/robots-page.ts';
import { type Behind, createFront } from '../front.ts';
import type { Health } from '../health.ts';
import { type NodeHandler, openHttpServer } from '../http-server.ts';
import { lanCertificate } from './certificate.ts';
import { roomUrlOf } from './phone-link.ts';
import { createSfuProxy, refuseUpgrade } from './sfu-proxy.ts';

/** The port for phones and programs in the network. Over https, it serves the page, access to its room and the API. */
export interface LanDoor {
  /** `https://192.168.1.7:8080` */
  readonly pageUrl: string;
  /** `wss://192.168.1.7:8080` */
  readonly roomUrl: string;
  readonly port: number;
  /** SHA-256 of the certificate that phones receive, as browsers write it. */
  readonly fingerprint: string;
  /** That certificate, in PEM: with it, a program recognises this machine. */
  readonly issuerPem: string;
  open(behind: BehindDoor): void;
  close(): Promise<void>;
}

export interface BehindDoor extends Required<Omit<Behind, 'lan' | 'keyForCode'>> {
  /** The address of the SFU, `http://…`. */
  sfuUrl: string;
}

export interface LanDoorOptions {
  address: string;
  /** 0 takes any free one. */
  port: number;
  /** The folder of the certificate. */
  dataDir: string;
  health: Health;
  onLog: (entry: LogEntry) => void;
}

/** Opens the port. @throws If it is busy; the message names it and what to do */
export async function openLanDoor({ address, port, dataDir, health, onLog }: LanDoorOptions): Promise<LanDoor> {
  const certificate = await lanCertificate(dataDir, address, Date.now());
  const front = createFront(health);
  let sfuUrl: string | null = null;
  const proxy = createSfuProxy(() => sfuUrl);
  let host = '';
  // A foreign page could use any other name (DNS rebinding).
  const isOwnName = (request: IncomingMessage) => request.headers.host === host;
  const handlerFor = (request: IncomingMessage): NodeHandler | null => {
    if (!isOwnName(request)) return refuseName;
    return proxy.handlerFor(request) ?? (request.url === LAN_CERTIFICATE_PATH ? giveIssuer : null);
  };
  const giveIssuer: NodeHandler = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-x509-ca-cert', 'Cache-Control': 'no-store' });
    response.end(certificate.issuerPem);
  };
  const refuseName: NodeHandler = (_, response) => {
    response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(`Nothing is served under this name here. The platform answers at https://${host}\n`);
  };
  const server = await openHttpServer(port, front.app, handlerFor, {
    host: address,
    tls: { key: certificate.keyPem, cert: certificate.certificatePem + certificate.issuerPem },
    onLog,
  });
  host = server.port === 443 ? address : `${address}:${server.port}`;
  server.server.on('upgrade', (request, socket) => {
    if (isOwnName(request)) proxy.upgrade(request, socket);
    else refuseUpgrade(socket, 421);
  });
  return {
    pageUrl: `https://${host}`,
    roomUrl: roomUrlOf(`https://${host}`),
    port: server.port,
    fingerprint: certificate.fingerprint,
    issuerPem: certificate.issuerPem,
    open: (behind) => {
      sfuUrl = behind.sfuUrl;
      // The page of all robots asks for the key of the platform's own user, which is not valid here.
      const page: Behind['page'] = async (c) => (isRobotsPage(c.req.path) ? null : behind.page(c));
      front.open({ ...behind, page });
    },
    close: () => server.close(),
  };
}

/**
 * Returns what the page of this machine learns about the port for phones, to lead a phone there.
 * @param localRoomUrl the room's address in keys for this machine
 */
export const lanPlace = ({ pageUrl, roomUrl, fingerprint }: LanDoor, localRoomUrl: string): LanPlace => ({
  page_url: pageUrl,
  room_url: roomUrl,
  local_room_url: localRoomUrl,
  fingerprint,
});
