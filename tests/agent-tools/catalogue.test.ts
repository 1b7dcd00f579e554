import { describe, expect, it } from 'vitest';
import { toolDescriptors } from '../../src/agent-tools/catalogue.ts';

/** Keywords of JSON Schema that the clients of all vendors accept. */
const PORTABLE = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'description',
  'enum',
  'anyOf',
  'items',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** Returns the keywords of a schema and of all schemas in it. */
function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, ...Object.values(value).flatMap(keywordsOf)];
    if (keyword === 'anyOf') return [keyword, ...(value as unknown[]).flatMap(keywordsOf)];
    return [keyword, ...(keyword === 'items' || keyword === 'additionalProperties' ? keywordsOf(value) : [])];
  });
}

describe('the list of tools', () => {
  it('has a fixed order, and is the same at every request', () => {
    expect(toolDescriptors().map(({ name }) => name)).toEqual([
      'robot_status',
      'get_scene',
      'take_picture',
      'go_to',
      'pick',
      'place',
      'drive',
      'look_at',
      'stop',
      'wait',
      'run_plan',
      'start_over',
      'control',
      'use_skill',
    ]);
    expect(JSON.stringify(toolDescriptors())).toBe(JSON.stringify(toolDescriptors()));
  });

  it('has at most 12 kB', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: toolDescriptors() }))).toBeLessThanOrEqual(12_000);
  });

  it.each(toolDescriptors())('describes $name with a title and all four hints', ({ title, description, annotations }) => {
    expect(title).not.toBe('');
    expect(description.length).toBeGreaterThan(20);
    expect(Object.keys(annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
      'title',
    ]);
    expect(annotations.title).toBe(title);
    for (const hint of Object.values(annotations).slice(1)) expect(hint).toBeTypeOf('boolean');
  });

  it.each(toolDescriptors())('describes the input of $name in portable JSON Schema', ({ inputSchema }) => {
    expect(inputSchema.type).toBe('object');
    expect(inputSchema.additionalProperties).toBe(false);
    expect(keywordsOf(inputSchema).filter((keyword) => !PORTABLE.has(keyword))).toEqual([]);
    expect(JSON.stringify(inputSchema)).not.toContain('"additionalProperties":{}');
  });

  it('marks only tools that change nothing as reading', () => {
    const reading = toolDescriptors().filter(({ annotations }) => annotations.readOnlyHint);
    expect(reading.map(({ name }) => name)).toEqual(['robot_status', 'get_scene', 'take_picture', 'wait']);
    expect(toolDescriptors().filter(({ annotations }) => annotations.destructiveHint)).toMatchObject([{ name: 'start_over' }]);
  });
});
