import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { UsageError } from '../read-options.ts';

/** An address of this machine in a network. */
export interface LanAddress {
  address: string;
  /** Name of the interface in the system: `wlan0`. */
  interfaceName: string;
}

/** Networks of containers, virtual machines and tunnels, which contain no phones. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|cni|flannel|cali|lxc|utun|tun|tap|wg|zt|tailscale|ppp)/i;
/** An address that a machine assigns to itself because no server assigned one. */
const SELF_GIVEN = /^169\.254\./;

/** Returns the IPv4 addresses of this machine that others can reach, those of real networks first. */
export function lanAddresses(interfaces = networkInterfaces()): LanAddress[] {
  const found = Object.entries(interfaces).flatMap(([interfaceName, entries = []]) =>
    entries
      .filter(({ internal, address }) => !internal && isIPv4(address) && !SELF_GIVEN.test(address))
      .map(({ address }) => ({ address, interfaceName })),
  );
  return [...found.filter((one) => !isVirtual(one)), ...found.filter(isVirtual)];
}

/**
 * Returns the address at which a phone reaches this machine.
 * @param wanted the requested address; null for the only one
 * @throws UsageError that lists the addresses, if one must be chosen or the wanted one is not among them
 */
export function chooseLanAddress(wanted: string | null, found: readonly LanAddress[] = lanAddresses()): string {
  if (found.length === 0) {
    throw new UsageError(
      'This machine is in no network: it has no address that a phone could reach. Connect it to one, then start again.',
    );
  }
  if (wanted !== null) {
    if (found.some(({ address }) => address === wanted)) return wanted;
    throw new UsageError(`This machine has no address "${wanted}" in a network. ${listed(found)}`);
  }
  const real = found.filter((one) => !isVirtual(one));
  const [only] = real;
  if (only && real.length === 1) return only.address;
  if (real.length > 0)
    throw new UsageError(`This machine is in several networks: choose the network of the phone. ${listed(found)}`);
  throw new UsageError(
    `This machine is in networks of containers, virtual machines or tunnels only: choose the network of the phone. ${listed(found)}`,
  );
}

const isVirtual = ({ interfaceName }: LanAddress): boolean => VIRTUAL.test(interfaceName);

function listed(found: readonly LanAddress[]): string {
  const all = found.map(({ address, interfaceName }) => `  npm start -- --lan ${address}   (${interfaceName})`);
  return `Start with one of these:\n\n${all.join('\n')}`;
}
