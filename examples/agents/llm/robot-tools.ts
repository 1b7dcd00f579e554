/** The robot's skills as tools of a language model. Units, frames and ranges are those of the skills' own schemas, and said nowhere else. */
import type { PlatformSession, SkillDescriptor } from 'platform-robot-sdk';
import type { PicturePart, Tool, ToolCall } from './model-server.ts';

/** What of a session is used. */
export type Robot = Pick<PlatformSession, 'discoverSkills' | 'getCapabilities' | 'scene' | 'layout' | 'getVision'> & {
  invoke(
    skill: string,
    params: Record<string, unknown>,
  ): Promise<{
    status: string;
    result?: unknown;
    error?: { code: string; message: string } | undefined;
    meta?: { degraded?: boolean | undefined; note?: string | undefined };
  }>;
};

export const SYSTEM = `You drive a robot in a simulated scene with the given tools. The unit, frame and range of each number are in the description of its parameter; fields of answers that end in _deg are degrees, in _m metres. In the world x points forward at yaw 0, y left, z up.
Read the scene first. Name things by their ids. A tool answers when its action has ended: "done" was measured, "degraded" was done with less than you asked for, and a failure says why and what to do next. Before you pick or place something, go_to it.
When the task is done, or cannot be done, answer in a sentence without a tool.`;

/** What would put another world in the place of this one, or is about time itself. */
const NOT_FOR_MODELS = new Set(['reset', 'select_scene', 'configure_benchmark', 'set_sim_speed']);
/** A longer answer of the robot is cut: models pay by the word. */
const ANSWER_MAX_CHARS = 12_000;
const PICTURE = { width: 640, height: 360 };

const NOTHING = { type: 'object', properties: {} };
const READ_SCENE = tool(
  'read_scene',
  'Read where every thing, every pad and the robot is now (positions in metres, yaw_deg in degrees), and what the robot holds.',
  NOTHING,
);
const READ_LAYOUT = tool('read_layout', 'Read what does not move, in metres: bounds, obstacles, pads and their slots.', NOTHING);

/** The tools of a robot: its skills, its reads, and its cameras where they draw. */
export async function toolsOf(robot: Robot): Promise<Tool[]> {
  const skills = (await robot.discoverSkills()).filter(({ name }) => !NOT_FOR_MODELS.has(name));
  return [READ_SCENE, READ_LAYOUT, ...(await lookTools(robot)), ...skills.map(skillTool)];
}

function skillTool({ name, description, input_schema: schema }: SkillDescriptor): Tool {
  return tool(name, description, 'type' in schema ? schema : NOTHING);
}

async function lookTools(robot: Robot): Promise<Tool[]> {
  const { cameras, captures } = (await robot.getCapabilities()) as {
    cameras: { camera_id: string }[];
    captures: { available: boolean };
  };
  if (!captures.available || cameras.length === 0) return [];
  const camera = { type: 'string', enum: cameras.map(({ camera_id: id }) => id) };
  return [
    tool('look', 'Take a picture with a camera: "pov" is in the robot\'s head, the others hang in the scene.', {
      type: 'object',
      properties: { camera },
      required: ['camera'],
    }),
  ];
}

/**
 * Does what the model asks for.
 * @param tools those that it has
 * @param seen takes its pictures
 * @returns what the model is told: also of its own mistakes, so that it can correct them
 */
export async function runTool(robot: Robot, tools: Tool[], call: ToolCall, seen: PicturePart[]): Promise<string> {
  const said = await answerTo(robot, tools, call, seen).catch(
    // The robot refuses in a sentence.
    (error: unknown) => `error: ${error instanceof Error ? error.message : String(error)}`,
  );
  return said.length > ANSWER_MAX_CHARS ? `${said.slice(0, ANSWER_MAX_CHARS)} … (cut: ${said.length} characters)` : said;
}

async function answerTo(robot: Robot, tools: Tool[], call: ToolCall, seen: PicturePart[]): Promise<string> {
  const { name } = call.function;
  if (!tools.some((each) => each.function.name === name)) {
    const names = tools.map((each) => each.function.name).join(', ');
    return `error: There is no tool "${name}". The tools are: ${names}.`;
  }
  const params = paramsOf(call);
  if (params === null)
    return `error: The arguments of ${name} are not a JSON object, so nothing was done. Call it again with an object that its parameters describe, such as {}.`;
  if (name === 'read_scene') return JSON.stringify((await robot.scene()).entities);
  if (name === 'read_layout') return JSON.stringify(await robot.layout());
  if (name === 'look') return look(robot, params, seen);
  const { status, result, error, meta } = await robot.invoke(name, params);
  if (error) return JSON.stringify({ status, error: `${error.code}: ${error.message}` });
  const degraded = meta?.degraded ? { degraded: true } : {};
  return JSON.stringify({ status, ...degraded, ...(meta?.note ? { note: meta.note } : {}), result });
}

async function look(robot: Robot, { camera }: Record<string, unknown>, seen: PicturePart[]): Promise<string> {
  const { jpeg, frame } = await robot.getVision(String(camera ?? 'pov'), PICTURE);
  seen.push({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` } });
  return `The picture of step ${frame.step} follows.`;
}

/** The arguments of a call, none where the model wrote none; null where they are no object. */
export function paramsOf({ function: { arguments: text } }: ToolCall): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    // Some models write the text of a text.
    const params: unknown = typeof value === 'string' ? JSON.parse(value) : (value ?? {});
    return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function tool(name: string, description: string, parameters: object): Tool {
  return { type: 'function', function: { name, description, parameters } };
}
