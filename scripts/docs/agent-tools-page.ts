/** docs/reference/agent-tools.md: every tool for agents, with a real reply. */
import { INSTRUCTIONS, TOOLS, toolDescriptors } from '../../src/agent-tools/catalogue.ts';
import { TOOL_CODES } from '../../src/agent-tools/codes.ts';
import type { ToolHints } from '../../src/agent-tools/tool.ts';
import { SKILL_URI } from '../../src/mcp/skill-text.ts';
import { type ShownCall, tellToolCalls } from './agent-tools-examples.ts';
import { code, markdownTable } from './markdown.ts';
import { type JsonSchema, readableJson, schemaTable } from './schema-table.ts';

const HINT_WORDS: readonly (readonly [keyof ToolHints, string])[] = [
  ['readOnlyHint', 'only reads'],
  ['destructiveHint', 'may destroy'],
  ['idempotentHint', 'repeatable'],
  ['openWorldHint', 'reaches other systems'],
];
const hintText = (hints: ToolHints): string =>
  HINT_WORDS.map(([hint, text]) => `${text}: ${hints[hint] ? 'yes' : 'no'}`).join(', ');
const json = (value: unknown): string => `\`\`\`json\n${readableJson(value)}\n\`\`\``;

function chapter({ name, title, description, inputSchema }: ReturnType<typeof toolDescriptors>[number], shown: ShownCall) {
  const hints = TOOLS.find((tool) => tool.name === name)?.hints;
  if (hints === undefined) throw new Error(`The catalogue has no tool ${name}.`);
  return [
    `## ${name}`,
    `**${title}.** ${description}`,
    `Hints: ${hintText(hints)}.`,
    `**Input**\n\n${schemaTable(inputSchema as JsonSchema, true)}`,
    `**Example**: arguments and reply\n\n${json(shown.input)}\n\n${json(shown.facts)}`,
  ].join('\n\n');
}

/** Returns the text of the page. @throws Error if an example fails that should not */
export async function agentToolsPage(): Promise<string> {
  const tools = toolDescriptors();
  const calls = await tellToolCalls();
  const kilobytes = (Buffer.byteLength(JSON.stringify({ tools })) / 1_000).toFixed(1);
  const chapters = tools.map((tool) => {
    const shown = calls.get(tool.name);
    if (shown === undefined) throw new Error(`The examples have no call of ${tool.name}.`);
    return chapter(tool, shown);
  });
  return `${[
    '# Tools for agents',
    'Made by `npm run docs` from `src/agent-tools` and real calls; do not edit by hand.',
    `These ${tools.length} tools are the same over every transport. Together, their list has ${kilobytes} kB. [Agents](../agents.md) explains how to connect a client.`,
    'A tool with an `action_id` moves the robot or changes its world. While such a call runs, the same call joins it. After its reply was delivered, the same call is a new action.',
    'A failure has the same form as other replies, with `"status": "failed"`, a `code` ([those of the robot](errors.md)) and often a `hint`. Over MCP it also sets `isError`. These codes are only those of the tools:',
    markdownTable(
      ['code', 'meaning'],
      Object.entries(TOOL_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
    'Every reply contains one sentence (`said`) that can be understood alone. Over MCP, the reply is text and `structuredContent` with the same facts. A picture comes with a text, without `structuredContent`.',
    markdownTable(
      ['tool', 'title', 'only reads'],
      tools.map(({ name, title, annotations }) => [`[${name}](#${name})`, title, annotations.readOnlyHint ? 'yes' : 'no']),
    ),
    `The server gives these instructions to the model:\n\n> ${INSTRUCTIONS}`,
    `The server also has the resources ${code('robot://status')} and ${code('robot://scene')}, with the replies of ${code('robot_status')} and ${code('get_scene')}, and ${code('robot://timeline')}, with the client's own actions. ${code(SKILL_URI)} has the rules and steps by which an agent uses the tools; the plugin brings the same text as a skill.`,
    'In the examples, the ids of actions and the times of drivers are fixed.',
    ...chapters,
  ].join('\n\n')}\n`;
}
