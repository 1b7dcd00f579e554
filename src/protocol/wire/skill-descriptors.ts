import { z } from 'zod';
import type { JsonSchema } from '../../common/json-schema.ts';
import { HUMANOID } from '../robots/humanoid.ts';
import type { RobotWords } from './robot.ts';
import { SKILL_NAMES, SKILLS, type SkillName, type SkillSpec, skillWords } from './skills.ts';

export const skillDescriptorSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .object({
      mutating: z.boolean(),
      expensive: z.boolean(),
      tags: z.array(z.string()),
      uses: z
        .object({
          cameras: z.array(z.string()).nullish(),
          sensors: z.array(z.string()).nullish(),
          tools: z.array(z.string()).nullish(),
        })
        .nullish(),
      body_parts: z.array(z.string()).optional(),
      allowed_mid_action: z.boolean(),
    })
    .optional(),
  cost: z.looseObject({ estimated_ms: z.int() }).optional(),
});
/** A skill as a runtime lists it: description, schemas of input and output, cost in milliseconds. */
export type SkillDescriptor = z.infer<typeof skillDescriptorSchema>;

/**
 * Returns a skill as `runtime.tools_list` describes it. Output schemas are only in docs/reference/skills.md, because the list
 * must fit one RPC reply.
 * @param robot the words of the robot that has it
 */
export const skillDescriptor = (name: SkillName, robot: RobotWords = HUMANOID.words): SkillDescriptor =>
  describeSkill(name, { ...SKILLS[name], ...skillWords(name, robot) });

/** Returns every skill in descriptor form. @param robot the words of the robot that has them */
export const skillDescriptors = (robot: RobotWords = HUMANOID.words): SkillDescriptor[] =>
  SKILL_NAMES.map((name) => skillDescriptor(name, robot));

/** Returns the descriptors with these scenes as the available choices. */
export const withScenes = (all: readonly SkillDescriptor[], sceneIds: readonly string[]): SkillDescriptor[] =>
  all.map((descriptor) => {
    const { properties } = descriptor.input_schema as JsonSchema;
    if (!properties?.scene_id) return descriptor;
    const chosen = { ...properties, scene_id: { ...properties.scene_id, enum: [...sceneIds] } };
    return { ...descriptor, input_schema: { ...descriptor.input_schema, properties: chosen } };
  });

/** Returns one descriptor with these scenes as the available choices. */
export function describeSkill(name: string, spec: SkillSpec): SkillDescriptor {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(spec.input, { io: 'input' });
  return {
    name,
    title: spec.title,
    description: spec.description,
    input_schema: inputSchema,
    annotations: {
      mutating: spec.mutating,
      expensive: false,
      tags: [...spec.tags],
      // A skill never takes a picture, reads a sensor or calls another skill on its own.
      uses: { cameras: [], sensors: [], tools: [] },
      body_parts: [...spec.uses],
      allowed_mid_action: spec.allowedMidAction,
    },
    cost: { estimated_ms: spec.estimatedMs },
  };
}
