import type { EntityState, SceneState } from '../../../protocol/scene.ts';
import { useViewer } from '../common/engine-context.ts';
import { metres } from '../common/format.ts';
import { distanceM, padContents, sceneGroups, whereWords } from './scene-words.ts';

/** What there is in the hall; for a screen reader this is the world. */
export function ScenePanel() {
  const scene = useViewer((state) => state.scene);
  if (!scene) return <p className="empty">The scene has not been read yet.</p>;
  const { cubes, pads } = sceneGroups(scene);
  return (
    <>
      <section aria-labelledby="scene-cubes">
        <h2 id="scene-cubes" className="section-title">
          Cubes <span className="section-count">{cubes.length}</span>
        </h2>
        <ul className="entities">
          {cubes.map((cube) => (
            <EntityRow key={cube.entity_id} entity={cube} scene={scene} where={whereWords(cube)} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="scene-pads">
        <h2 id="scene-pads" className="section-title">
          Pads <span className="section-count">{pads.length}</span>
        </h2>
        <ul className="entities">
          {pads.map((pad) => (
            <EntityRow key={pad.entity_id} entity={pad} scene={scene} where={padContents(pad.entity_id, cubes)} />
          ))}
        </ul>
      </section>
    </>
  );
}

function EntityRow({ entity, scene, where }: { entity: EntityState; scene: SceneState; where: string }) {
  const { entity_id, kind, state } = entity;
  const away = distanceM(scene, entity);
  return (
    <li className="entity">
      <span className={`swatch swatch-${kind}`} data-colour={state.color} aria-hidden />
      <span className="entity-id">{entity_id}</span>
      <span className="entity-colour">{state.color ?? ''}</span>
      <span className="entity-where">{where}</span>
      <span className="entity-distance">{away === null ? '' : `${metres(away, 1)} away`}</span>
    </li>
  );
}
