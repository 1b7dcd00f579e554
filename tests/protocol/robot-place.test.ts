/**
 * Names under which the browser stores the data of a robot: the same for every spelling of an address, and different for any two
 * servers.
 */
import { describe, expect, it } from 'vitest';
import { placeOf, robotOf, roomOf } from '../../src/protocol/room/robot-place.ts';

const keyAt = (sfuUrl: string) => ({ sfuUrl, room: 'Room', identity: 'simplesim:R1' });
const robotAt = (sfuUrl: string): string => robotOf(keyAt(sfuUrl));

describe('the name of a robot', () => {
  it.each([
    ['in capital letters', 'WSS://SFU.Example'],
    ['with the usual port', 'wss://sfu.example:443'],
    ['with a slash at the end', 'wss://sfu.example/'],
    ['with many slashes at the end', 'wss://sfu.example///'],
    ['with a query', 'wss://sfu.example?a=1'],
    ['with a fragment', 'wss://sfu.example/#a'],
  ])('the name of a robot is the same for an address %s', (_, spelling) => {
    expect(robotAt(spelling)).toBe('wss://sfu.example simplesim:R1');
  });

  it.each([
    ['another port', 'wss://sfu.example:444'],
    ['another protocol', 'ws://sfu.example'],
    ['a path', 'wss://sfu.example/other'],
    ['another host', 'wss://sfu.example.org'],
    ['a host with a Kelvin sign, whose small letter is k', 'wss://sfu.example\u212a'],
    ['a host with a dotted capital I', 'wss://sfu.\u0130.example'],
  ])('the name of a robot is different for %s', (_, other) => {
    expect(robotAt(other)).not.toBe(robotAt('wss://sfu.example'));
  });

  it('only the letters A to Z of the host change, so that hosts of other scripts stay distinct', () => {
    expect(robotAt('wss://K.example')).toBe('wss://k.example simplesim:R1');
    expect(robotAt('wss://\u212a.example')).toBe('wss://\u212a.example simplesim:R1');
    expect(robotAt('wss://Ä.example')).toBe('wss://Ä.example simplesim:R1');
  });

  it('the name keeps the capital letters and the inner slashes of a path, and drops only the slashes at its end', () => {
    expect(robotAt('wss://sfu.example/A//b/')).toBe('wss://sfu.example/A//b simplesim:R1');
    expect(robotAt('wss://sfu.example/A//b')).toBe(robotAt('wss://sfu.example/A//b//'));
    expect(robotAt('wss://sfu.example/A/b')).not.toBe(robotAt('wss://sfu.example/A//b'));
  });

  it('the name accepts an address in brackets, and keeps an invalid address as it is', () => {
    expect(robotAt('ws://[2001:DB8::1]:80/')).toBe('ws://[2001:db8::1] simplesim:R1');
    expect(robotAt('no address')).toBe('no address simplesim:R1');
  });

  it('the name is returned within a moment for a path of very many slashes', () => {
    expect(robotAt(`wss://sfu.example${'/'.repeat(200_000)}a`)).toContain('/a simplesim:R1');
  });
});

it('a place keeps the room and the identity as they are, and rooms of two servers never share a name', () => {
  expect(placeOf(keyAt('wss://SFU.example/'))).toBe('wss://sfu.example Room/simplesim:R1');
  expect(roomOf(keyAt('wss://sfu.example'))).not.toBe(roomOf(keyAt('wss://other.example')));
});
