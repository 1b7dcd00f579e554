import { isRecord } from '../../../common/schema-texts.ts';
import { frameOf } from '../../../protocol/wire/capture-frame.ts';
import { type CaptureFrame, HEAD_CAMERA_ID } from '../../../protocol/wire/captures.ts';
import { type SkillDescriptor, skillDescriptorSchema } from '../../../protocol/wire/skill-descriptors.ts';
import type { Engine } from '../../engine/types.ts';
import { pageContractOf } from '../common/contract.ts';
import { placeCameras } from '../common/place-cameras.ts';
import { type Callable, skillCallable, standingCallables } from './callables.ts';
import { type ConsoleStore, patchRun, patchSheet, RUNS_KEPT } from './console-store.ts';
import { type FieldRefusal, outcomeOf, pathOfId, refusedField } from './outcome.ts';
import type { Picture, Run } from './run.ts';

/** Reads the skills of the robot. If it cannot list them, only the read calls remain. */
export async function listSkills(engine: Engine, store: ConsoleStore): Promise<void> {
  try {
    const reply = await engine.call('runtime.tools_list', {});
    const specOf = pageContractOf(engine.store.getState()).skillSpecOf;
    const skills = Array.isArray(reply) ? reply.filter(isSkill).map((skill) => skillCallable(skill, specOf(skill.name))) : null;
    if (!skills) noteListProblem(store, sentenceOf(reply));
    else
      store.setState({
        callables: [...skills, ...standingCallables(placeCameras(engine.layout()))],
        listed: true,
        listProblem: null,
      });
  } catch {
    noteListProblem(store, NO_ANSWER);
  }
}

/** Notes a problem with the list. A late failure does not invalidate the answer to a newer request. */
function noteListProblem(store: ConsoleStore, listProblem: string): void {
  if (!store.getState().listed) store.setState({ listProblem });
}

const NO_ANSWER = 'The robot did not answer. If this happens again, reload the page.';

const isSkill = (value: unknown): value is SkillDescriptor => skillDescriptorSchema.safeParse(value).success;

const sentenceOf = (reply: unknown): string =>
  isRecord(reply) && isRecord(reply.error) && typeof reply.error.message === 'string' ? reply.error.message : NO_ANSWER;

/** Returns an id for a call from this page. */
function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Calls the robot, and stores the call with its reply in the console.
 * @returns the finished call; it never rejects
 */
export async function runCall(
  engine: Engine,
  store: ConsoleStore,
  callable: Callable,
  input: unknown,
  options: Record<string, unknown> = {},
): Promise<Run> {
  const run: Run = {
    runId: newRunId(),
    callableId: callable.id,
    input,
    options,
    startedAtMs: Date.now(),
    finishedAtMs: null,
    reply: null,
    problem: null,
    picture: null,
  };
  store.setState(({ runs }) => ({ runs: keptRuns([run, ...runs]) }));
  patchSheet(store, callable.id, { runId: run.runId, refused: null });
  const end = await carryOut(engine, callable, run);
  const finished: Run = { ...run, ...end, finishedAtMs: Date.now() };
  patchRun(store, run.runId, finished);
  const refused = refusalFor(finished);
  if (refused) patchSheet(store, callable.id, { refused });
  return finished;
}

/** Drops old runs and frees the memory of their pictures. */
function keptRuns(runs: readonly Run[]): readonly Run[] {
  for (const { picture } of runs.slice(RUNS_KEPT)) if (picture) URL.revokeObjectURL(picture.url);
  return runs.slice(0, RUNS_KEPT);
}

async function carryOut(engine: Engine, callable: Callable, run: Run): Promise<Pick<Run, 'reply' | 'problem' | 'picture'>> {
  try {
    if (callable.kind === 'picture') return { reply: null, problem: null, picture: await takePicture(engine, run.input) };
    const payload =
      callable.kind === 'skill'
        ? { name: callable.id, input: run.input, options: { action_id: actionIdOf(run), ...run.options } }
        : run.input;
    return { reply: await engine.call(callable.method, payload), problem: null, picture: null };
  } catch (error) {
    const message = callable.kind === 'picture' && error instanceof Error ? error.message : NO_ANSWER;
    return { reply: null, problem: message, picture: null };
  }
}

/** Returns the id of the action that a call of a skill becomes. */
export const actionIdOf = ({ runId, options }: Run): string =>
  typeof options.action_id === 'string' ? options.action_id : runId;

async function takePicture(engine: Engine, input: unknown): Promise<Picture> {
  const request = isRecord(input) ? input : {};
  const { camera = HEAD_CAMERA_ID } = request;
  const { blob, frame } = await takeJpeg(
    engine,
    String(camera),
    Number(request.width_px ?? 1280),
    Number(request.height_px ?? 720),
  );
  return { url: URL.createObjectURL(blob), byteLength: blob.size, frame, camera: String(camera) };
}

/** Takes a picture of a camera now, with a description of what it shows. @throws with a sentence for people */
export async function takeJpeg(
  engine: Engine,
  camera: string,
  widthPx: number,
  heightPx: number,
): Promise<{ blob: Blob; frame: CaptureFrame }> {
  // Read in the same turn in which the picture is requested, so that it describes the same step.
  const renderState = engine.frames.latest();
  const frame = renderState && frameOf(renderState, camera, widthPx, heightPx);
  const blob = await engine.capture(camera, widthPx, heightPx);
  if (!frame) throw new Error('The cameras are not ready yet.');
  return { blob, frame };
}

function refusalFor(run: Run): FieldRefusal | null {
  const outcome = outcomeOf(run);
  const error = outcome.kind === 'refused' ? outcome.error : outcome.kind === 'action' ? outcome.result.error : undefined;
  if (!error) return null;
  const field = refusedField(error);
  if (field) return field;
  const unknownId = error.code === 'UNKNOWN_ENTITY' ? error.details.entity_id : undefined;
  const path = typeof unknownId === 'string' ? pathOfId(run.input, unknownId) : null;
  return path && { path, text: error.message, missing: false, part: 'input' };
}

/** Cancels the action of a running call. */
export async function cancelRun(engine: Engine, run: Run): Promise<void> {
  await engine.call('runtime.cancel', { options: { action_id: actionIdOf(run) } }).catch(() => undefined);
}
