import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { readSettings } from '../../src/launch/service-settings.ts';

it('an account has the limits of the settings, or else the default limits', () => {
  expect(readSettings({}).accountLimits).toEqual(DEFAULT_SETTINGS.accountLimits);
  const env = {
    SIMPLESIM_ACCOUNT_ROBOTS: '1',
    SIMPLESIM_ACCOUNT_SESSIONS: '2',
    SIMPLESIM_ACCOUNT_KEYS: '5',
    SIMPLESIM_ACCOUNT_CREATIONS_PER_MINUTE: '3',
    SIMPLESIM_ACCOUNT_COMMANDS: '4',
    SIMPLESIM_ACCOUNT_REQUESTS: '1000000',
    SIMPLESIM_ACCOUNT_LINKS: '6',
  };
  expect(readSettings(env).accountLimits).toEqual({
    robots: 1,
    openSessions: 2,
    apiKeys: 5,
    creationsPerMinute: 3,
    waitingCommands: 4,
    requestsAtOnce: 1_000_000,
    linksOfSession: 6,
  });
});

it('a session ends six hours after its last use, or after the time of the settings, or never', () => {
  expect(readSettings({}).sessionIdleMs).toBe(6 * 3_600_000);
  expect(readSettings({ SIMPLESIM_SESSION_IDLE_HOURS: '0.5' }).sessionIdleMs).toBe(1_800_000);
  expect(readSettings({ SIMPLESIM_SESSION_IDLE_HOURS: '0' }).sessionIdleMs).toBe(null);
  for (const wrong of ['-1', 'never', '1h', '1e9', '0,5']) {
    expect(() => readSettings({ SIMPLESIM_SESSION_IDLE_HOURS: wrong })).toThrow('must be a number of hours, as in 12 or 0.5');
  }
});

it('the address of the viewer is the configured one without its trailing slash, or unknown', () => {
  expect(readSettings({}).viewerUrl).toBeNull();
  expect(readSettings({ SIMPLESIM_VIEWER_URL: 'https://robots.test/sim/' }).viewerUrl).toBe('https://robots.test/sim');
  for (const wrong of ['robots.test', 'ws://robots.test', 'https://robots.test/?a=1', 'https://me@robots.test'])
    expect(() => readSettings({ SIMPLESIM_VIEWER_URL: wrong })).toThrow('SIMPLESIM_VIEWER_URL is not an address of the form');
});

it.each(['0', '-1', '1.5', '1e3', 'many', '1000001', ' 5'])('%j is not a valid number of robots', (value) => {
  expect(() => readSettings({ SIMPLESIM_ACCOUNT_ROBOTS: value })).toThrow(
    'SIMPLESIM_ACCOUNT_ROBOTS must be a whole number from 1 to 1000000.',
  );
});
