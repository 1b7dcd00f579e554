/** The reference of the three file formats, from their schemas: scenes, tasks and proofs. */
import { z } from 'zod';
import {
  PROOF_CALLS_MAX,
  PROOF_INPUTS_MAX,
  PROOF_MAX_BYTES,
  PROOF_MAX_DEPTH,
  PROOF_MAX_VALUES,
  PROOF_STEPS_MAX,
  proofFileSchema,
} from '../../src/protocol/files/proof-file.ts';
import { sceneFileSchema } from '../../src/protocol/files/scene-file.ts';
import { SCENE_LIMITS } from '../../src/protocol/files/scene-limits.ts';
import {
  PREDICATES_MAX,
  TASK_MAX_BYTES,
  TASK_MAX_DEPTH,
  TASK_MAX_VALUES,
  taskFileSchema,
} from '../../src/protocol/files/task-file.ts';
import { type FileNotes, PROOF_NOTES, SCENE_NOTES, TASK_NOTES } from './file-notes.ts';
import {
  choicesOf,
  type FileContext,
  type FileRow,
  fileRows,
  fileTable,
  isUnion,
  itemsOf,
  type JsonSchema,
  kindsOf,
  typeText,
} from './file-table.ts';
import { markdownTable } from './markdown.ts';

const jsonOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => z.toJSONSchema(schema, { io }) as JsonSchema;
const kibibytes = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`);
const number = (value: number): string => value.toLocaleString('en-US');
const made = (file: string): string => `Made by \`npm run docs\` from \`src/protocol/files/${file}\`; do not edit by hand.`;

/** Whether a property has its own section: it is a list of objects, or an object with nested objects. */
function hasSection(schema: JsonSchema): boolean {
  const items = itemsOf(schema);
  if (items) return items.properties !== undefined || choicesOf(items).length > 0;
  return Object.values(schema.properties ?? {}).some((inner) => itemsOf(inner)?.properties !== undefined);
}

/** The rows of the file itself: small objects with their properties, larger ones with a link to their section. */
function* rootRows(root: JsonSchema, context: FileContext): Generator<FileRow> {
  for (const row of fileRows(root, context)) {
    const [top = ''] = row.path.split(/[.[]/);
    if (row.path === top || !hasSection(root.properties?.[top] ?? {})) yield row;
  }
}

/** A section for each kind of a union: its description and its properties. */
function kindSections(union: JsonSchema, note: string, context: FileContext): string[] {
  return choicesOf(union).flatMap((choice) => {
    const rows = [...fileRows(choice, context, { path: '', note: `${note}<${kindsOf(choice)}>.`, kind: null })];
    const about = choice.description ?? choice.properties?.kind?.description;
    return [
      `### ${kindsOf(choice)}`,
      ...(about === undefined ? [] : [sentence(about)]),
      rows.length === 0 ? 'It has no properties besides `kind`.' : fileTable(rows, context),
    ];
  });
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

function section(name: string, schema: JsonSchema, context: FileContext): string[] {
  const items = itemsOf(schema);
  const about = context.notes[name]?.meaning ?? schema.description ?? items?.description;
  const head = [`## ${name}`, ...(about === undefined ? [] : [sentence(about)])];
  if (items && isUnion(items)) return [...head, ...kindSections(items, `${name}[]`, context)];
  if (items && choicesOf(items).length > 0) return [...head, tupleTable(items, context)];
  const path = items ? `${name}[].` : `${name}.`;
  return [...head, fileTable(fileRows(items ?? schema, context, { path, note: path, kind: null }), context)];
}

/** A table of a list whose items are lists themselves. */
function tupleTable(items: JsonSchema, context: FileContext): string {
  const rows = choicesOf(items).map(({ prefixItems = [], description = '' }) => [
    prefixItems.map((part, at) => (at === 0 ? 'step' : typeText(part, context))).join(', '),
    description,
  ]);
  return markdownTable(['elements', 'meaning'], rows);
}

function sectionsOf(root: JsonSchema, context: FileContext): string[] {
  return Object.entries(root.properties ?? {}).flatMap(([name, schema]) =>
    hasSection(schema) && context.sharedLink(schema) === null ? section(name, schema, context) : [],
  );
}

/** Throws if a note names a property that does not exist. */
function checkNotes({ notes, used }: FileContext): void {
  const unused = Object.keys(notes).filter((note) => !used.has(note) && !note.startsWith('places.'));
  if (unused.length > 0) throw new Error(`scripts/docs/file-notes.ts describes unknown properties: ${unused.join(', ')}.`);
}

const contextOf = (notes: FileNotes, sharedLink: FileContext['sharedLink']): FileContext => ({
  notes,
  used: new Set(),
  sharedLink,
});

const pageOf = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;
const limitsTable = (rows: readonly (readonly [string, string])[]): string[] => [
  '## Limits',
  markdownTable(['limit', 'most'], rows),
];

/** Returns `docs/reference/scene-file.md`. */
export function sceneFilePage(): string {
  const root = jsonOf(sceneFileSchema, 'input');
  const context = contextOf(SCENE_NOTES, () => null);
  const L = SCENE_LIMITS;
  const parts = [
    '# Scene files',
    made('scene-file.ts'),
    'Every property of a scene file, `simplesim.scene/1`. [Scenes and tasks](../scenes.md) explains how to write one, and [scene.schema.json](../schemas/scene.schema.json) is the JSON Schema for editors.',
    '## The file',
    fileTable(rootRows(root, context), context),
    ...sectionsOf(root, context),
    ...limitsTable([
      ['size of the file', kibibytes(L.bytes)],
      ['values, and depth of lists and objects', `${number(L.values)}, ${L.depth}`],
      ['obstacles, pads, things', `${L.obstacles}, ${L.pads}, ${L.things}`],
      ['slots of a pad', String(L.slotsOfPad)],
      ['fixtures, cameras', `${L.fixtures}, ${L.cameras}`],
      ['regions, corners of a region', `${L.regions}, ${L.cornersOfRegion}`],
      ['pieces of decor', String(L.decor)],
      ['the layout as one reply of `runtime.scene_layout`', `${number(L.layoutBytes)} bytes of JSON`],
    ]),
  ];
  checkNotes(context);
  return pageOf(parts);
}

const isPredicate = (schema: JsonSchema): boolean => choicesOf(schema).some((choice) => kindsOf(choice) === 'still_at_end');
const isSelector = ({ properties }: JsonSchema): boolean => properties?.ids !== undefined && properties.colour !== undefined;
const isPlace = ({ anyOf = [] }: JsonSchema): boolean => anyOf.some(({ properties }) => properties?.region !== undefined);

/** The link to the description that several properties of a task share. */
function taskLink({ $defs = {} }: JsonSchema): FileContext['sharedLink'] {
  return (schema) => {
    const resolved = schema.$ref === undefined ? schema : ($defs[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    if (isPredicate(resolved)) return '[predicate](#predicates)';
    if (isSelector(schema)) return '[selection of things](#selections-of-things)';
    return isPlace(schema) ? '[place](#places)' : null;
  };
}

/** Returns the first part of a schema, at any depth, that passes the test. @throws if there is none */
function findPart(schema: JsonSchema, test: (part: JsonSchema) => boolean): JsonSchema {
  const queue: unknown[] = [schema];
  for (const part of queue) {
    if (typeof part !== 'object' || part === null) continue;
    if (!Array.isArray(part) && test(part as JsonSchema)) return part as JsonSchema;
    queue.push(...Object.values(part));
  }
  throw new Error('The schema of tasks has no such part.');
}

function placesTable(place: JsonSchema, context: FileContext): string {
  const rows = (place.anyOf ?? []).flatMap(({ properties = {} }) => {
    const names = Object.keys(properties);
    return Object.entries(properties).map(([name, schema]): string[] => [
      `\`{ ${names.join(', ')} }\``,
      `\`${name}\``,
      typeText(schema, context),
      schema.minimum === undefined ? '' : `${schema.minimum} … ${schema.maximum} m`,
      schema.description ?? TASK_NOTES[`places.${names[0]}.${name}`]?.meaning ?? 'a thing in the middle of the place',
    ]);
  });
  return markdownTable(['place', 'property', 'type', 'range', 'meaning'], rows);
}

/** Returns `docs/reference/task-file.md`. */
export function taskFilePage(): string {
  const root = jsonOf(taskFileSchema, 'input');
  const context = contextOf(TASK_NOTES, taskLink(root));
  const predicate = Object.values(root.$defs ?? {}).find(isPredicate) ?? {};
  const [selector, place] = [findPart(root, isSelector), findPart(root, isPlace)];
  const kinds = choicesOf(predicate).map((choice) => [`[\`${kindsOf(choice)}\`](#${kindsOf(choice)})`, choice.description ?? '']);
  const parts = [
    '# Task files',
    made('task-file.ts'),
    'Every property of a task file, `simplesim.task/1`. [Scenes and tasks](../scenes.md) explains how to write one, and [task.schema.json](../schemas/task.schema.json) is the JSON Schema for editors.',
    '## The file',
    fileTable(rootRows(root, context), context),
    ...sectionsOf(root, context),
    '## Predicates',
    `A predicate is an object with a \`kind\`. A task has at most ${PREDICATES_MAX} of them, those inside others included.`,
    markdownTable(['kind', 'true when'], kinds),
    ...kindSections(predicate, 'predicates', context),
    '## Selections of things',
    'A selection names movable things. A thing must match every property that is given; `{}` selects all things.',
    fileTable(fileRows(selector, context), context),
    '## Places',
    'A place is a part of the floor, at any height.',
    placesTable(place, context),
    ...limitsTable([
      ['size of the file', kibibytes(TASK_MAX_BYTES)],
      ['values, and depth of lists and objects', `${number(TASK_MAX_VALUES)}, ${TASK_MAX_DEPTH}`],
      ['predicates', String(PREDICATES_MAX)],
      ['credits of all subgoals together', '1'],
    ]),
  ];
  checkNotes(context);
  return pageOf(parts);
}

/** Returns `docs/reference/proof-file.md`. */
export function proofFilePage(): string {
  const whole = jsonOf(proofFileSchema, 'output');
  const task = whole.properties?.task;
  const root = { ...whole, properties: { ...whole.properties } };
  const context = contextOf(PROOF_NOTES, (schema) => (schema === task ? '[task file](task-file.md)' : null));
  const parts = [
    '# Proof files',
    made('proof-file.ts'),
    'Every property of the proof of a run, `simplesim.proof/2`, from which the run is simulated again. [Evaluation](../evaluate.md) explains what a proof proves, and [proof.schema.json](../schemas/proof.schema.json) is the JSON Schema.',
    '## The file',
    fileTable(rootRows(root, context), context),
    ...sectionsOf(root, context),
    ...limitsTable([
      ['size of the file', kibibytes(PROOF_MAX_BYTES)],
      ['values, and depth of lists and objects', `${number(PROOF_MAX_VALUES)}, ${PROOF_MAX_DEPTH}`],
      ['steps', `${number(PROOF_STEPS_MAX)}, two hours of simulated time`],
      ['inputs, and different calls', `${number(PROOF_INPUTS_MAX)}, ${number(PROOF_CALLS_MAX)}`],
    ]),
  ];
  checkNotes(context);
  return pageOf(parts);
}

/** Returns the three pages by their file in `docs/reference`. */
export const filePages = (): Record<string, string> => ({
  'scene-file.md': sceneFilePage(),
  'task-file.md': taskFilePage(),
  'proof-file.md': proofFilePage(),
});
