import { SCENE_IDS, SCENES, type SceneId } from '../../../protocol/scene-ids.ts';

/**
 * Fills the gate's choice of a scene for a robot of this tab.
 * @param words the place for what the chosen scene is
 * @returns a function that tells which one is chosen
 */
export function offerScenes(field: HTMLFieldSetElement, words: HTMLElement, first: SceneId): () => SceneId {
  let chosen = first;
  const choose = (id: SceneId): void => {
    chosen = id;
    words.textContent = SCENES[id].summary;
  };
  for (const id of SCENE_IDS) {
    const page = field.ownerDocument;
    const input = page.createElement('input');
    Object.assign(input, { type: 'radio', name: 'scene', value: id, checked: id === first });
    input.addEventListener('change', () => choose(id));
    const label = page.createElement('label');
    label.append(input, SCENES[id].title);
    field.append(label);
  }
  choose(first);
  return () => chosen;
}
