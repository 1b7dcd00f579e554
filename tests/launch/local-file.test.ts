import { describe, expect, it } from 'vitest';
import { earlierSfu } from '../../src/launch/local-file.ts';

const KEYS = { livekit_api_key: 'APIabcdef-_1234', livekit_api_secret: 'x'.repeat(43) };
const keys = { apiKey: KEYS.livekit_api_key, apiSecret: KEYS.livekit_api_secret };

describe('the SFU that an earlier platform recorded in local.json', () => {
  it('the SFU of an earlier platform is used with its keys and its port', () => {
    expect(earlierSfu({ ...KEYS, livekit_url: 'ws://127.0.0.1:7883' })).toEqual({ keys, port: 7883 });
  });

  it.each([
    ['names no keys on the first start', {}],
    ['names no keys when it was a foreign one', { livekit_url: 'wss://sfu.example.org' }],
    ['is not taken with a key of another form', { ...KEYS, livekit_api_key: 'devkey', livekit_url: 'ws://127.0.0.1:7880' }],
    [
      'is not taken with a secret that is too short',
      { ...KEYS, livekit_api_secret: 'secret', livekit_url: 'ws://127.0.0.1:7880' },
    ],
  ])('the SFU of an earlier platform %s', (_how, file) => {
    expect(earlierSfu(file)).toEqual({ keys: null, port: null });
  });

  it.each(['', 'nonsense', 'ws://127.0.0.1', 'ws://127.0.0.1:65535'])(
    'the SFU of an earlier platform keeps its keys beside the unusable address "%s"',
    (url) => {
      expect(earlierSfu({ ...KEYS, livekit_url: url })).toEqual({ keys, port: null });
    },
  );
});
