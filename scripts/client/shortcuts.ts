/**
 * Generates the methods of a session that are named after skills, `session.goTo('pad_B')` and `session.go_to("pad_B")`, from the
 * catalogue. The catalogue defines the skills, their parameters with units, ranges and defaults, and their results. Only the
 * short names are chosen here.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { capitalise } from '../../src/common/capitalise.ts';
import { type FormSchema, formSchemaOf } from '../../src/protocol/wire/field-facts.ts';
import { SKILL_NAMES, SKILLS, type SkillName } from '../../src/protocol/wire/skills.ts';
import { ROOT_DIR } from '../declarations.ts';
import { type JsonSchema, rangeOf } from '../docs/schema-table.ts';

const NOTE = 'Made by `npm run docs` from the catalogue of skills in src/protocol; do not edit by hand.';
/** Shorter than the skill's own name, without the word for the kind of every target. */
const NAMES: Partial<Record<SkillName, string>> = { set_velocity: 'drive', pick_entity: 'pick', place_entity: 'place' };
/** Skills that move one of these get a method; those of the simulation are called with `invoke`. */
const BODY: readonly string[] = ['base', 'arms', 'head'];
const PYTHON_COLUMNS = 120;

/**
 * How a method takes the target of its skill: not at all, as an id, as an id or a place, or as options for the place of a thing.
 */
type TargetForm = 'none' | 'id' | 'id or place' | 'support';

interface Field {
  name: string;
  schema: FormSchema;
  isRequired: boolean;
}

interface Shortcut {
  skill: SkillName;
  /** In Python's spelling. */
  name: string;
  description: string;
  target: TargetForm;
  targetText: string;
  fields: Field[];
  results: string[];
}

/** Returns the generated files by their path in the repository. */
export function shortcutFiles(): Record<string, string> {
  const all = SKILL_NAMES.filter((skill) => SKILLS[skill].uses.some((part) => BODY.includes(part))).map(shortcutOf);
  return {
    'src/client/shortcuts.ts': formatted(typescript(all)),
    'clients/python/src/platform_robot_sdk/realtime/shortcuts.py': python(all),
  };
}

function shortcutOf(skill: SkillName): Shortcut {
  const { input, output, description } = SKILLS[skill];
  const { properties = {}, required = [] } = formSchemaOf(input);
  const { target, ...rest } = properties as Record<string, FormSchema>;
  const fields = Object.entries(rest).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
  return {
    skill,
    name: NAMES[skill] ?? skill,
    description,
    ...targetOf(target),
    fields,
    results: Object.keys((z.toJSONSchema(output) as JsonSchema).properties ?? {}),
  };
}

function targetOf(target: FormSchema | undefined): { target: TargetForm; targetText: string } {
  if (target === undefined) return { target: 'none', targetText: '' };
  const variants = (target.oneOf ?? [target]) as FormSchema[];
  const kinds = variants.map(({ properties }) => properties?.kind?.const);
  const ofEntity = variants[kinds.indexOf('entity')]?.properties?.entity_id as FormSchema | undefined;
  const words = `id of a ${alternatives(ofEntity?.facts?.entityKinds ?? [])}`;
  if (kinds.includes('slot')) return { target: 'support', targetText: words };
  return kinds.includes('pose')
    ? { target: 'id or place', targetText: `${words}, or a place of the world` }
    : { target: 'id', targetText: words };
}

const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Returns the meaning of a field: its text with the unit, then its range. */
function meaning({ schema }: Field): string {
  const range = rangeOf(schema as JsonSchema);
  return `${schema.description ?? ''}${range === '' ? '' : `; ${range}`}`;
}

/** The parameters of a placing in place of a target. The target itself is a choice of three in the catalogue. */
const supportFields = (words: string): { name: string; typescript: string; python: string; words: string }[] => [
  { name: 'on', typescript: 'string', python: 'str', words: `${words} to put it on; the nearest destination pad unless given` },
  { name: 'slot', typescript: 'number', python: 'int', words: 'which of the slots of the pad `on`; any unless given' },
  { name: 'at', typescript: 'Place', python: 'Place', words: 'the place to put it at, instead of `on`' },
];

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(`_${name}`);
const resultText = ({ results }: Shortcut): string => results.map((name) => `\`${name}\``).join(', ');

// TypeScript

const typescriptType = ({ type }: JsonSchema): string => {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  throw new Error(`A shortcut has no form for a parameter of the type ${type}.`);
};

function typescript(all: readonly Shortcut[]): string {
  return [
    `/** ${NOTE} */`,
    "import type { SkillName } from '../protocol/wire/skills.ts';",
    "import type { ActionResult } from './action-result.ts';",
    "import { entityTarget, supportTarget, targetOf } from './internal/targets.ts';",
    "import type { Place } from './place.ts';",
    "import type { InvokeOptions } from './session-options.ts';",
    "import type { ParamsOf, ResultOf } from './skill-types.ts';",
    '',
    ...all.filter(hasOptions).map((shortcut) => `${optionsInterface(shortcut)}\n`),
    `/** The skills that move the body of a simulated robot, as methods of a session. Each does what \`invoke\` does with the same skill. */
    export abstract class SkillShortcuts {
      /** @internal \`form\` is how a right call is written; \`paramsOf\` throws the refusal of a wrong argument. */
      protected abstract shortcut<N extends SkillName, O extends InvokeOptions>(
        form: string, skill: N, given: O, paramsOf: (given: O) => ParamsOf<N>): Promise<ActionResult<ResultOf<N>>>;
      ${all.map(typescriptMethod).join('\n\n')}
    }`,
  ].join('\n');
}

const hasOptions = ({ fields, target }: Shortcut): boolean => fields.length > 0 || target === 'support';
const optionsName = (shortcut: Shortcut): string => (hasOptions(shortcut) ? `${pascal(shortcut.name)}Options` : 'InvokeOptions');

function optionsInterface(shortcut: Shortcut): string {
  const own = shortcut.fields.map((field) => {
    const unless = field.schema.default === undefined ? '' : ` @default ${JSON.stringify(field.schema.default)}`;
    return `/** ${capitalise(meaning(field))}.${unless} */\n${field.name}${field.isRequired ? '' : '?'}: ${typescriptType(field.schema)}${field.isRequired ? '' : ' | undefined'};`;
  });
  const support = supportFields(shortcut.targetText).map(
    ({ name, typescript: type, words }) => `/** ${capitalise(words)}. */\n${name}?: ${type} | undefined;`,
  );
  const fields = shortcut.target === 'support' ? [...support, ...own] : own;
  const heading = `/** Options of \`${camel(shortcut.name)}\`. */\nexport`;
  const members = `{\n${fields.join('\n')}\n}`;
  // A slot belongs to a pad, so it is only accepted with a pad.
  return shortcut.target === 'support'
    ? `${heading} type ${optionsName(shortcut)} = InvokeOptions & ${members} & ({ on: string } | { slot?: undefined });`
    : `${heading} interface ${optionsName(shortcut)} extends InvokeOptions ${members}`;
}

function typescriptMethod(shortcut: Shortcut): string {
  const { skill, name, description, target, targetText, fields } = shortcut;
  const isNamed = target === 'id' || target === 'id or place';
  const names = [...(target === 'support' ? ['on', 'slot', 'at'] : []), ...fields.map((field) => field.name)];
  const made = {
    none: [],
    id: ['target: entityTarget(target)'],
    'id or place': ['target: targetOf(target)'],
    support: ['target: supportTarget(on, slot, at)'],
  }[target];
  const params = `{ ${[...made, ...fields.map((field) => field.name)].join(', ')} }`;
  const isRequired = fields.some((field) => field.isRequired);
  const given = `${names.length > 0 ? 'given' : 'options'}: ${optionsName(shortcut)}${isRequired ? '' : ' = {}'}`;
  const form = `${camel(name)}(${isNamed ? 'target, ' : ''}{ ${names[0] ?? 'timeoutMs'}: … })`;
  const type = target === 'id' ? 'string' : 'string | Place';
  return `/**
   * ${description} The \`result\` has ${resultText(shortcut)}.
   ${isNamed ? `* @param target ${targetText}\n` : ''}* @throws as \`invoke\` of \`${skill}\`
   */
  async ${camel(name)}(${isNamed ? `target: ${type}, ` : ''}${given}): Promise<ActionResult<ResultOf<'${skill}'>>> {
    return this.shortcut('${form}', '${skill}', ${names.length > 0 ? 'given' : 'options'}, (${names.length > 0 ? `{ ${names.join(', ')} }` : ''}) => (${params}));
  }`;
}

/** In the form that the repository's formatter produces. */
function formatted(text: string): string {
  const biome = join(dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')), 'bin/biome');
  const args = [biome, 'check', '--write', '--stdin-file-path=src/client/shortcuts.ts'];
  return execFileSync(process.execPath, args, { cwd: ROOT_DIR, encoding: 'utf8', input: text });
}

// Python

const pythonType = ({ type }: JsonSchema): string => {
  const names: Record<string, string> = { number: 'float', integer: 'int', string: 'str', boolean: 'bool' };
  const name = typeof type === 'string' ? names[type] : undefined;
  if (name === undefined) throw new Error(`A shortcut has no form for a parameter of the type ${type}.`);
  return name;
};

/** The options of `invoke`, which every method accepts and passes on. */
const PYTHON_OPTIONS: readonly [name: string, type: string, unless: string][] = [
  ['timeout_s', 'float | None', 'None'],
  ['action_id', 'str | None', 'None'],
  ['deadline_s', 'float | None', 'None'],
  ['on_event', 'Callable[[ActionEvent], Any] | None', 'None'],
  ['cancel_on_abandon', 'bool', 'False'],
];

function python(all: readonly Shortcut[]): string {
  return `"""The skills that move the body, as methods of a session.

${NOTE}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from ..models.actions import ActionEvent, ActionResult
from .skill_method import skill_method
from .targets import Place, entity_target, support_target, target_of


class SkillShortcuts(ABC):
    """The skills that move the body of a simulated robot, as methods of a session.

    Each does what \`invoke\` does with the same skill.
    """

    @abstractmethod
    async def _shortcut(
        self,
        name: str,
        skill: str,
        params: Callable[[], Mapping[str, Any]],
        /,
        **options: Any,  # noqa: ANN401
    ) -> ActionResult:
        """Runs the skill with the parameters that are not None. \`params\` raises the refusal of a wrong argument."""

${all.map(pythonMethod).join('\n')}`;
}

function pythonMethod(shortcut: Shortcut): string {
  const { skill, name, description, target, targetText, fields } = shortcut;
  const isNamed = target === 'id' || target === 'id or place';
  const support = target === 'support' ? supportFields(targetText) : [];
  const parameters = [
    ...(isNamed ? [`target: ${target === 'id' ? 'str' : 'str | Place'}`] : []),
    '*',
    ...support.map((field) => `${field.name}: ${field.python} | None = None`),
    ...fields.map((field) => `${field.name}: ${pythonType(field.schema)}${field.isRequired ? '' : ' | None = None'}`),
    ...PYTHON_OPTIONS.map(([option, type, unless]) => `${option}: ${type} = ${unless}`),
  ];
  const explained = [
    ...(isNamed ? [`target: ${targetText}.`] : []),
    ...support.map((field) => `${field.name}: ${field.words}.`),
    ...fields.map((field) => {
      const unless = field.schema.default === undefined ? '' : ` Default: ${JSON.stringify(field.schema.default)}.`;
      return `${field.name}: ${meaning(field)}.${unless}`;
    }),
    'timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.',
  ];
  const made = {
    none: [],
    id: ['"target": entity_target(target)'],
    'id or place': ['"target": target_of(target)'],
    support: ['"target": support_target(on, slot, at)'],
  }[target];
  const params = [...made, ...fields.map((field) => `"${field.name}": ${field.name}`)];
  return `    @skill_method
    async def ${name}(
        self,
${parameters.map((parameter) => `        ${parameter},`).join('\n')}
    ) -> ActionResult:
        """${wrapped(description, 8, 3)}

${wrapped(`The \`result\` has ${resultText(shortcut)}.`, 8, 8)}

        Args:
${explained.map((line) => wrapped(line, 16, 12)).join('\n')}

        Raises:
            RcwRuntimeError, TimeoutError: as \`invoke\` of \`${skill}\`.
        """
        return await self._shortcut(
            "${name}",
            "${skill}",
            lambda: {${params.join(', ')}},
${PYTHON_OPTIONS.map(([option]) => `            ${option}=${option},`).join('\n')}
        )
`;
}

/**
 * Wraps a text at the width of a line.
 * @param indent of the lines after the first, in characters
 * @param used characters of the first line that are taken; that many spaces precede the text, unless quotation marks do
 */
function wrapped(text: string, indent: number, used: number): string {
  const lines: string[] = [];
  let line = used === 3 ? '' : ' '.repeat(used);
  for (const word of text.split(' ')) {
    const width = (lines.length === 0 && used === 3 ? indent + used : 0) + line.length + word.length + 1;
    if (line.trim() !== '' && width > PYTHON_COLUMNS) {
      lines.push(line);
      line = ' '.repeat(indent);
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
