import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

/** The smallest PNG picture: one pixel. */
export const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A tool that the conformance program calls by its name. */
export interface FixtureTool {
  description: string;
  /** @default no arguments */
  inputSchema?: { type: 'object'; [keyword: string]: unknown };
  call(input: Record<string, unknown>, context: ServerContext): Promise<CallToolResult | InputRequiredResult>;
}

/** Returns the result of a tool whose result is one text. */
export const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
