import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sceneFileSchema } from '../../src/protocol/files/scene-file.ts';

/** The start scene of robots comes first. */
const FIRST = 'warehouse';
const WIDEST = 130;

interface Described {
  scene_id: string;
  title: string;
  summary: string;
}

/** Returns the files that are generated from the schema of scenes and from the built-in scenes, by their paths. */
export const scenePages = (rootDir: string): Record<string, string> => ({
  'docs/schemas/scene.schema.json': `${JSON.stringify(z.toJSONSchema(sceneFileSchema, { io: 'input' }), null, 2)}\n`,
  'src/protocol/wire/scene-titles.ts': titles(scenesIn(join(rootDir, 'scenes'))),
});

function scenesIn(dir: string): Described[] {
  const all = readdirSync(dir)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as Described);
  return [...all.filter(({ scene_id }) => scene_id === FIRST), ...all.filter(({ scene_id }) => scene_id !== FIRST)];
}

function titles(scenes: readonly Described[]): string {
  const entries = scenes.map(
    ({ scene_id: id, title, summary }) => `  ${id}: {\n${property('title', title)}\n${property('summary', summary)}\n  },`,
  );
  return `${NOTE}export const SCENES = {\n${entries.join('\n')}\n} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;\n`;
}

function property(name: string, text: string): string {
  const value = text.includes("'") ? JSON.stringify(text) : `'${text}'`;
  const line = `    ${name}: ${value},`;
  return line.length <= WIDEST ? line : `    ${name}:\n      ${value},`;
}

const NOTE = `// Made by \`npm run docs\` from the files in \`scenes\`; do not edit by hand.

/** Every scene of the product, and what people read of it when they choose one. It stands apart from the scenes, which the gate does not load. */
`;
