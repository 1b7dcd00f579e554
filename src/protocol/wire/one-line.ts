import { z } from 'zod';

/** Non-empty text for people, on one line. @param mostChars maximum number of characters */
export const oneLine = (mostChars: number) =>
  z
    .string()
    .min(1)
    .max(mostChars)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be on one line');
