import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { withoutTokens } from '../../worker/log.ts';

/** Writes the output of an agent to a file, without secrets. */
export interface AgentOutput {
  /** Takes a part of the output, from one of its streams. */
  take(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  /** Writes the rest. @returns the number of discarded bytes */
  close(): Promise<number>;
}

const KEPT_MAX_BYTES = 1_000_000;
/** A longer line is written in parts. The part that is kept back is longer than any secret. */
const LINE_MAX_CHARS = 65_536;
const SECRET_MAX_CHARS = 8_192;
const SECRET_MIN_CHARS = 6;
const MASK = '<secret>';
/** Settings of the environment that contain secrets, by their names. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i;

/** Returns the values of an environment that no output may contain. */
export const secretsIn = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value ? [value, ...value.split('~')] : []));

/**
 * @param secrets texts that are masked wherever they occur. Very short ones are not masked, because they occur in ordinary words
 */
export function openAgentOutput(path: string, secrets: readonly string[]): AgentOutput {
  const masked = [...new Set(secrets)].filter(({ length }) => length >= SECRET_MIN_CHARS).sort((a, b) => b.length - a.length);
  const file = createWriteStream(path, { mode: 0o600 });
  // A full disk loses output, but no run.
  file.on('error', () => undefined);
  const waiting = { stdout: '', stderr: '' };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let kept = 0;
  let dropped = 0;

  const mask = (text: string): string => withoutTokens(masked.reduce((rest, secret) => rest.replaceAll(secret, MASK), text));

  function write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (kept + bytes > KEPT_MAX_BYTES) {
      dropped += bytes;
      return;
    }
    kept += bytes;
    file.write(text);
  }

  return {
    take(stream, chunk) {
      if (kept >= KEPT_MAX_BYTES || dropped > 0) {
        dropped += chunk.length;
        return;
      }
      const text = waiting[stream] + decoders[stream].decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      write(mask(text.slice(0, end)));
      let rest = text.slice(end);
      if (rest.length > LINE_MAX_CHARS) {
        // Masked before it is cut, so that a secret is never cut in two.
        rest = mask(rest);
        write(rest.slice(0, -SECRET_MAX_CHARS));
        rest = rest.slice(-SECRET_MAX_CHARS);
      }
      waiting[stream] = rest;
    },
    async close() {
      for (const rest of Object.values(waiting)) if (rest !== '') write(mask(rest));
      if (dropped > 0) file.write(`\n… ${dropped} more bytes were not kept.\n`);
      file.end();
      await finished(file).catch(() => undefined);
      return dropped;
    },
  };
}
