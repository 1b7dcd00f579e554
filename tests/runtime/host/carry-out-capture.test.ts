import { expect, it } from 'vitest';
import { CameraError } from '../../../src/cameras/camera-error.ts';
import { SentenceError } from '../../../src/common/sentence-error.ts';
import { CALLER_LEFT } from '../../../src/protocol/texts/room-texts.ts';
import { captureFailure } from '../../../src/runtime/host/carry-out-capture.ts';

const UNSAID = 'The picture could not be drawn and sent. Ask again.';

it('a caller reads the sentence of an error that was written for callers', () => {
  expect(captureFailure(new SentenceError(CALLER_LEFT))).toBe(CALLER_LEFT);
  expect(captureFailure(CameraError.disposed())).toMatch(/^The cameras are closed\./);
});

it('a caller reads nothing of any other error, also if its text looks like a sentence', () => {
  expect(captureFailure(new Error('Failed to send /home/robot/secret.'))).toBe(UNSAID);
  expect(captureFailure(new TypeError("Cannot read properties of undefined (reading 'x')."))).toBe(UNSAID);
  expect(captureFailure('It broke.')).toBe(UNSAID);
  expect(captureFailure(undefined)).toBe(UNSAID);
});
