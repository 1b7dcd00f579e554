import { lanAddresses } from '../../../src/launch/lan/address.ts';

/** An address of this machine in some network, for tests of the pages that a phone gets. */
export function lanAddress(): string {
  const [first] = lanAddresses();
  if (!first)
    throw new Error('This test needs a machine with an address in a network; a cable, a Wi-Fi or a container network will do.');
  return first.address;
}
