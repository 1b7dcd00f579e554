import { isRecord } from '../common/schema-texts.ts';

/** A runtime's rejection of a call that did not become an action: nothing of the call was carried out. */
export interface Refusal {
  code: string;
  message: string;
  details: Readonly<Record<string, unknown>>;
}

/** Reads a reply as a refusal; null for any other reply, such as the result of an action, which has `meta`. */
export function readRefusal(reply: unknown): Refusal | null {
  if (!isRecord(reply) || reply.status !== 'failed' || reply.meta !== undefined || !isRecord(reply.error)) return null;
  const { code, message, details } = reply.error;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
    details: isRecord(details) ? details : {},
  };
}
