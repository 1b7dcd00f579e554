/** One thing that is wrong with a scene file. */
export interface SceneProblem {
  /** The part that is wrong: "pads[2].position"; empty for the whole file. */
  path: string;
  /** What is wrong with it and what would be right, after its name. */
  reason: string;
}

/** What became of a scene file: its id and title, or why it is refused. */
export type SceneOutcome = { ok: true; sceneId: string; title: string } | { ok: false; problems: readonly SceneProblem[] };

/** Returns a refusal of the whole file, for one reason. */
export const refusedScene = (reason: string): SceneOutcome => ({ ok: false, problems: [{ path: '', reason }] });
