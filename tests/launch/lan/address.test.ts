/** The address that `--lan` uses, and the error if it cannot be determined. */
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { chooseLanAddress, lanAddresses } from '../../../src/launch/lan/address.ts';

const at = (address: string, internal = false) =>
  [{ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }] as NetworkInterfaceInfo[];

const LOOPBACK = { lo: [...at('127.0.0.1', true), ...at('::1', true)] };
const WIFI = { wlan0: [...at('192.168.1.7'), ...at('fe80::1')] };
const CABLE = { eth0: at('10.0.0.5') };
const DOCKER = { docker0: at('172.17.0.1'), 'br-0a1b2c': at('172.18.0.1') };

const choose = (wanted: string | null, interfaces: Parameters<typeof lanAddresses>[0]) =>
  chooseLanAddress(wanted, lanAddresses(interfaces));

describe('the address for a phone', () => {
  it('the address for a phone is the only one of a real network', () => {
    expect(choose(null, { ...LOOPBACK, ...WIFI })).toBe('192.168.1.7');
    expect(choose(null, { ...DOCKER, ...WIFI, ...LOOPBACK, utun3: at('100.64.0.9'), eth9: at('169.254.7.7') })).toBe(
      '192.168.1.7',
    );
  });

  it('the address for a phone may be any address of this machine on request', () => {
    expect(choose('172.17.0.1', { ...WIFI, ...DOCKER })).toBe('172.17.0.1');
  });

  it('the address for a phone must be chosen from a list if there are several', () => {
    expect(() => choose(null, { ...LOOPBACK, ...DOCKER, ...WIFI, ...CABLE })).toThrow(
      /in several networks: choose the network of the phone\..*\n\n {2}npm start -- --lan 192\.168\.1\.7 {3}\(wlan0\)\n.*10\.0\.0\.5 {3}\(eth0\)\n.*172\.17\.0\.1 {3}\(docker0\)/,
    );
    expect(() => choose(null, { ...LOOPBACK, ...DOCKER })).toThrow(
      /networks of containers, virtual machines or tunnels only.*\n\n.*172\.17\.0\.1/,
    );
  });

  it.each(['192.168.1.8', '127.0.0.1', '0.0.0.0', 'fe80::1', 'my-laptop'])(
    'the address %s is rejected, because this machine does not have it',
    (wanted) => {
      expect(() => choose(wanted, { ...LOOPBACK, ...WIFI })).toThrow(
        `This machine has no address "${wanted}" in a network. Start with one of these:\n\n  npm start -- --lan 192.168.1.7   (wlan0)`,
      );
    },
  );

  it('no address for a phone is found without a network', () => {
    for (const wanted of [null, '192.168.1.7']) expect(() => choose(wanted, LOOPBACK)).toThrow('This machine is in no network');
  });
});
