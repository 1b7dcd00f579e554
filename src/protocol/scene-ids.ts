/** Every scene, and what people read of it when they choose one. */
export const SCENES = {
  warehouse: { title: 'Warehouse', summary: 'A belt brings cubes, and a pallet waits for each colour.' },
  hall: { title: 'Hall', summary: 'Two tables, six cubes, and nothing that moves by itself.' },
} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;

export type SceneId = keyof typeof SCENES;
export const SCENE_IDS = Object.keys(SCENES) as [SceneId, ...SceneId[]];

/** The scene that a robot starts in unless another is asked for. */
export const START_SCENE_ID: SceneId = 'warehouse';

export const isSceneId = (text: unknown): text is SceneId => SCENE_IDS.some((id) => id === text);
