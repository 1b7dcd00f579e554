/** One fault of a scene file. */
export interface SceneProblem {
  /** The faulty part: "pads[2].position"; empty for the whole file. */
  path: string;
  /** A description of the fault and of what would be right, after its name. */
  reason: string;
}

/** The outcome of a scene file: its id and title, or the reasons for its rejection. */
export type SceneOutcome = { ok: true; sceneId: string; title: string } | { ok: false; problems: readonly SceneProblem[] };

/** Returns a rejection of the whole file, for one reason. */
export const refusedScene = (reason: string): SceneOutcome => ({ ok: false, problems: [{ path: '', reason }] });
