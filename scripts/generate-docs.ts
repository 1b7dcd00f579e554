/**
 * Writes docs/skills.md and docs/errors.md from the schemas and the error table, so that the manual cannot differ from the runtime.
 * `--check` only compares, and fails when a file is not what the schemas say.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ERROR_CODES, ERROR_STAGES } from '../src/protocol/error-codes.ts';
import { SKILL_NAMES, SKILLS } from '../src/protocol/skills.ts';

interface JsonSchema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  items?: JsonSchema | boolean;
}

const docsDir = join(import.meta.dirname, '../docs');
const NOTE = 'Made by `npm run docs` from `src/protocol`; do not edit by hand.';

/** The kind of value a schema takes, in a few words. */
function kindOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(kindOf).join(' or ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(kindOf).join(', ')}]`;
  if (schema.type === 'array' && typeof schema.items === 'object') return `list of ${kindOf(schema.items)}`;
  if (schema.properties) {
    const optional = (name: string) => (schema.required?.includes(name) ? '' : '?');
    return `{ ${Object.entries(schema.properties)
      .map(([name, inner]) => `${name}${optional(name)}: ${kindOf(inner)}`)
      .join(', ')} }`;
  }
  return [schema.type].flat().join(' or ');
}

function limitsOf(schema: JsonSchema): string {
  const parts: string[] = [];
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) parts.push(`${minimum} … ${maximum}`);
  else if (exclusiveMinimum !== undefined)
    parts.push(`above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`);
  else if (minimum !== undefined) parts.push(`at least ${minimum}`);
  if (maxLength !== undefined) parts.push(`${minLength ?? 0} … ${maxLength} characters`);
  return parts.join('; ');
}

function table(schema: JsonSchema, withDefaults: boolean): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name)
      ? 'required'
      : field.default === undefined
        ? 'optional'
        : `default ${JSON.stringify(field.default)}`;
    const cells = [`\`${name}\``, kindOf(field), ...(withDefaults ? [required] : []), limitsOf(field), field.description ?? ''];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  if (rows.length === 0) return 'No fields.';
  const head = withDefaults ? ['field', 'value', 'given', 'range', 'meaning'] : ['field', 'value', 'range', 'meaning'];
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');
}

function skillsPage(): string {
  const chapters = SKILL_NAMES.map((name) => {
    const skill = SKILLS[name];
    const input = z.toJSONSchema(skill.input, { io: 'input' }) as JsonSchema;
    const output = z.toJSONSchema(skill.output) as JsonSchema;
    const claims = skill.uses.length > 0 ? `Moves: ${skill.uses.join(', ')}.` : 'Moves nothing of the body by itself.';
    return `## ${name}\n\n${skill.description}\n\n${claims}\n\n**Input**\n\n${table(input, true)}\n\n**Result**\n\n${table(output, false)}\n`;
  });
  const intro = [
    'Every skill of the simulator, with every field. Call one with `runtime.tools_call` (see [protocol.md](protocol.md)) or `session.invoke` of the client library.',
    'Units are SI, angles radians unless the name ends in `_deg`; the world is right-handed, x forward at yaw 0, y left, z up.',
    'A property that a skill does not know is refused by name. What can go wrong is in [errors.md](errors.md).',
  ].join('\n');
  return `# Skills\n\n${NOTE}\n\n${intro}\n\n${chapters.join('\n')}`;
}

function errorsPage(): string {
  const chapters = ERROR_STAGES.map((stage) => {
    const rows = Object.entries(ERROR_CODES)
      .filter(([, info]) => info.stage === stage)
      .map(([code, info]) => `| \`${code}\` | ${info.summary} | ${info.remedy} | ${info.retryable ? 'yes' : 'no'} |`);
    return `## ${stage}\n\n| code | what is the case | what to do | may succeed unchanged later |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const intro = [
    'A failure is `{"status": "failed", "error": {code, message, details}}`. The message is one sentence that says what was asked, what is the case and what to do.',
    '`details` always has `stage`, `attempted` (was one physics step spent on it?), `world_changed` (`no`, `yes`, `unknown`) and `retryable`; many codes add measured facts.',
  ].join('\n');
  return `# Errors of the runtime\n\n${NOTE}\n\n${intro}\n\n${chapters.join('\n')}`;
}

const pages: Record<string, string> = { 'skills.md': skillsPage(), 'errors.md': errorsPage() };
const stale: string[] = [];
for (const [name, text] of Object.entries(pages)) {
  const file = join(docsDir, name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) stale.push(`docs/${name}`);
}
if (stale.length > 0) {
  console.error(`${stale.join(' and ')} differ from the schemas. Run: npm run docs`);
  process.exit(1);
}
