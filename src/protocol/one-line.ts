import { z } from 'zod';

/** Text for people: on one line, and not empty. @param mostChars as many characters at most */
export const oneLine = (mostChars: number) =>
  z
    .string()
    .min(1)
    .max(mostChars)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be on one line');
