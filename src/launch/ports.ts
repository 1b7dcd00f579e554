import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Whether a TCP listener can be opened at this address now. */
export function isTcpPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether a UDP socket can be bound to this port on all addresses now. */
export function isUdpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

const PORT_MAX = 65_535;

/**
 * Reads a port number from a setting. The error names the setting and the range.
 * @param portsAfter number of following ports that are needed as well
 */
export function readPort(value: string, setting: string, portsAfter = 0): number {
  const port = Number(value);
  const max = PORT_MAX - portsAfter;
  if (!/^\d+$/.test(value) || port > max) {
    throw new Error(`${setting} is "${value}", and must be a port number from 0 to ${max} (0 takes any free port).`);
  }
  return port;
}
