/**
 * An error whose message was written for the caller: a sentence with what to do. The message of any other error is for the
 * operator, however much it looks like a sentence.
 */
export class SentenceError extends Error {
  override name = 'SentenceError';
}
