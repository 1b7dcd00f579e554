import { expect, it } from 'vitest';
import { refuseJsonText } from '../../src/client/internal/payload.ts';

it('an object that was turned into text is rejected before anything is sent, with a remedy', () => {
  for (const text of ['{"vx":0.2}', ' [1]', '{}'])
    expect(() => refuseJsonText(text, 'The input of set_velocity')).toThrow(
      'The input of set_velocity is a JSON text and must be an object. Send the object itself, and do not turn it into text first.',
    );
  for (const other of [{}, 'pad_B', '{no JSON', '7', null, undefined]) expect(() => refuseJsonText(other, 'x')).not.toThrow();
});
