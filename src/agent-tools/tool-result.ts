import { shownJson } from '../common/shown-text.ts';
import type { ToolReply } from './tool-reply.ts';

/** A reply in the form of the Model Context Protocol. */
export interface ToolResult {
  [extension: string]: unknown;
  content: ({ type: 'image'; data: string; mimeType: string } | { type: 'text'; text: string })[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
}

/**
 * Returns a reply in the form that every client shows to its model. Some show only `structuredContent`, some only text, and
 * those that show pictures do so only without `structuredContent`.
 */
export function resultOf({ said, facts, isError, picture }: ToolReply): ToolResult {
  const { said: _said, ...rest } = facts;
  const text = { type: 'text' as const, text: Object.keys(rest).length === 0 ? said : `${said}\n${shownJson(rest)}` };
  if (picture) {
    return { content: [{ type: 'image', data: base64(picture.jpeg), mimeType: 'image/jpeg' }, text], isError };
  }
  return { content: [text], structuredContent: { ...facts }, isError };
}

/** The maximum number of arguments that every engine accepts in one call. */
const CHUNK_BYTES = 8_192;

/** Browsers have no `Buffer`. */
function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(binary);
}
