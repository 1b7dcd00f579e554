import { z } from 'zod';
import { callOptionsSchema } from '../../src/protocol/wire/action.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/protocol/wire/error-codes.ts';
import { RCW_SKILL_NAMES, RCW_SKILLS, type RcwSkillName } from '../../src/protocol/wire/rcw-skills.ts';
import type { SceneLayout } from '../../src/protocol/wire/scene.ts';
import { COMMON_FAILURES, RCW_FAILURES, SKILL_FAILURES } from '../../src/protocol/wire/skill-failures.ts';
import { SKILL_NAMES, SKILLS, type SkillName, type SkillSpec } from '../../src/protocol/wire/skills.ts';
import { markdownTable } from './markdown.ts';
import { type JsonSchema, readableJson, schemaTable } from './schema-table.ts';
import type { Examples, SkillExample } from './skill-examples.ts';
import { ENVELOPE_NOTES, RCW_NOTES, SKILL_NOTES } from './skill-notes.ts';

const inputSchema = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
const outputSchema = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema) as JsonSchema;

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
const failures = (codes: readonly ErrorCode[]): string =>
  markdownTable(
    ['code', 'what it means', 'what to do'],
    codes.map((code) => [`\`${code}\``, ERROR_CODES[code].summary, ERROR_CODES[code].remedy]),
  );
const example = ({ request, reply }: SkillExample): string =>
  `\`\`\`json\n${readableJson(request)}\n\`\`\`\n\n\`\`\`json\n${readableJson(reply)}\n\`\`\``;
const seconds = (ms: number): string => (ms < 100 ? 'at once' : `${ms / 1000} s`);

interface SkillParts {
  skill: SkillSpec;
  failures: readonly ErrorCode[];
  notes: readonly string[];
  shown: SkillExample | undefined;
}

function chapter(name: string, { skill, failures: own, notes, shown }: SkillParts, undescribed: (field: string) => void): string {
  if (!shown) throw new Error(`The manual's story has no call of ${name}.`);
  const parts = skill.uses.length > 0 ? `Moves: ${skill.uses.join(', ')}.` : 'Moves no part of the body.';
  const busy = skill.allowedMidAction
    ? 'You can call it while other actions run.'
    : 'Returns `BUSY` while another action moves the same parts.';
  const note = (kind: string) => (path: string) => undescribed(`${name} ${kind} ${path}`);
  return [
    `## ${name}`,
    `${skill.description}`,
    `${parts} ${busy} Typical duration: ${seconds(skill.estimatedMs)}.`,
    list(notes),
    `**Input**\n\n${schemaTable(inputSchema(skill.input), true, note('input'))}`,
    `**Result**\n\n${schemaTable(outputSchema(skill.output), false, note('result'))}`,
    own.length > 0 ? `**Failures** beside [those of every skill](#failures-of-every-skill)\n\n${failures(own)}` : '',
    `**Example**: request and reply\n\n${example(shown)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function placesChapter({ scene_id: sceneId, pads, slots, bounds }: SceneLayout): string {
  const rows = pads.map(({ pad_id: padId, role, color, position: [x, y, z] }) => {
    const count = slots.filter((slot) => slot.pad_id === padId).length;
    return [`\`${padId}\``, role, color ?? '', `(${x}, ${y})`, `${z} m`, `0 … ${count - 1}`];
  });
  const [[minX, minY], [maxX, maxY]] = [bounds.min, bounds.max];
  return [
    `## Ids in the scene \`${sceneId}\``,
    `\`runtime.scene_layout\` and \`runtime.scene_state\` return everything with exact poses. The floor extends from (${minX}, ${minY}) to (${maxX}, ${maxY}). The robot is the entity \`robot\`.`,
    `Cubes are \`cube_0\`, \`cube_1\` and so on, in the order of their arrival. An id is never reused before a reset. The alias \`cube\` works in \`pick_entity\` only.`,
    'Other objects have `kind: "object"`. Their `state` has `category`, `mass_kg` and `shape`: `{kind: "box", size}`, `{kind: "cylinder", radius_m, height_m}` or `{kind: "container", size, wall_m}`, in metres, in the frame of the object, z up. `pick_entity`, `look_at` and `go_to` accept them like cubes.',
    'If a scene has more things than one reply can carry (about sixty cubes), `runtime.scene_state` returns `PAYLOAD_TOO_LARGE`: use its filters.',
    markdownTable(['pad', 'role', 'colour', 'centre', 'surface', 'slots'], rows),
  ].join('\n\n');
}

/**
 * The manual of the skills, for whoever writes an agent and reads nothing else.
 * @throws when a field says nothing about itself
 */
export function skillsPage(note: string, examples: Examples): string {
  const undescribed: string[] = [];
  const partsOf = (name: SkillName): SkillParts => ({
    skill: SKILLS[name],
    failures: SKILL_FAILURES[name],
    notes: SKILL_NOTES[name],
    shown: examples.bySkill.get(name),
  });
  const chapters = SKILL_NAMES.map((name) => chapter(name, partsOf(name), (field) => undescribed.push(field)));
  if (undescribed.length > 0) throw new Error(`Fields without a description in src/protocol: ${undescribed.join(', ')}`);
  const glance = SKILL_NAMES.map((name) => {
    const { title, uses, allowedMidAction, estimatedMs } = SKILLS[name];
    return [`[${name}](#${name})`, title, uses.join(', ') || '–', allowedMidAction ? 'yes' : 'no', seconds(estimatedMs)];
  });
  return [
    '# Skills',
    note,
    [
      'This page lists every skill of the simulator with its input, result and failures. [Libraries](../libraries.md) and [Protocol](../protocol.md) describe how to call it.',
      'Units are SI. Angles are in radians unless the name ends in `_deg`. The world frame is right-handed: at yaw 0, x points forward, y left and z up. A positive yaw turns left. A pose of the robot is the pose of its base.',
      'Numbers in replies are rounded to 0.1 mm and 0.01°. Requests and replies have at most 15,360 bytes.',
    ].join('\n'),
    markdownTable(['skill', 'purpose', 'moves', 'while others run', 'duration'], glance),
    '## Calling a skill',
    'Send `runtime.tools_call` with the name of the skill, its input and optional options, or use `session.invoke` of a client library. The reply arrives when the action has ended.',
    `**Options**\n\n${schemaTable(inputSchema(callOptionsSchema), true)}`,
    'With an `action_id` of your own, a call is safe to repeat. If a reply gets lost, send the same call again: it joins the running action or returns the stored result. An action never runs twice.',
    `**Reply**\n\n${schemaTable(outputSchema(ENVELOPE_NOTES), false)}`,
    'An unknown property or a value out of range is rejected by name. Only velocities are clamped, and the reply notes it.',
    `A failure before the action began, because the input is invalid:\n\n${example(examples.refused)}`,
    `A failure of an action:\n\n${example(examples.failed)}`,
    '### Failures of every skill',
    failures(COMMON_FAILURES),
    placesChapter(examples.layout),
    ...chapters,
  ]
    .join('\n\n')
    .concat('\n');
}

/** The page of the skills of the worker profile. @throws when a field says nothing about itself */
export function rcwSkillsPage(note: string, examples: Pick<Examples, 'bySkill' | 'refused'>): string {
  const undescribed: string[] = [];
  const partsOf = (name: RcwSkillName): SkillParts => ({
    skill: RCW_SKILLS[name],
    failures: RCW_FAILURES[name],
    notes: RCW_NOTES[name],
    shown: examples.bySkill.get(name),
  });
  const chapters = RCW_SKILL_NAMES.map((name) => chapter(name, partsOf(name), (field) => undescribed.push(field)));
  if (undescribed.length > 0) throw new Error(`Fields without a description in src/protocol: ${undescribed.join(', ')}`);
  return [
    '# Skills of the physical robot',
    note,
    [
      'This page lists every skill of the Robot Control Worker (`rcw`). The worker profile of SimpleSim has the same skills with a simulated body. [Physical robots](../physical-robot.md) describes the differences, and [Protocol](../protocol.md) how calls are signed.',
      'Options, replies and failures have the same form as those of [the simulator](skills.md). The robot ignores unknown parameters.',
    ].join('\n'),
    `A call that is rejected:\n\n${example(examples.refused)}`,
    '### Failures of every skill',
    // A later command replaces the previous one, so `BUSY` does not occur.
    failures(COMMON_FAILURES.filter((code) => code !== 'BUSY')),
    ...chapters,
  ]
    .join('\n\n')
    .concat('\n');
}
