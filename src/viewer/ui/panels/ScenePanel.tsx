import { Search } from 'lucide-react';
import { useState } from 'react';
import type { EntityState, SceneState } from '../../../protocol/wire/scene.ts';
import { useViewer } from '../common/engine-context.ts';
import { metres } from '../common/format.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';
import {
  deliveryCounts,
  distanceM,
  isCollected,
  matchesEntity,
  padContents,
  sceneGroups,
  whereText,
  wrongPadText,
} from '../values/scene-texts.ts';
import { EntityActions } from './EntityActions.tsx';

type Order = 'id' | 'distance';

/** The contents of the scene, which represent the world for screen readers. */
export function ScenePanel() {
  const scene = useViewer((state) => state.scene);
  const deliveries = useViewer(({ runtime }) => runtime && deliveryCounts(runtime.robot.extra.sort_benchmark));
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('id');
  if (!scene) return <p className="empty">The scene has not been read yet.</p>;
  const { cubes, objects, pads, collected } = sceneGroups(scene);
  const shown = (entities: readonly EntityState[], where: (entity: EntityState) => string): readonly Row[] => {
    const rows = entities.map((entity) => ({
      entity,
      where: where(entity),
      awayM: isCollected(entity) ? null : distanceM(scene, entity),
    }));
    const found = rows.filter((row) => matchesEntity(row.entity, row.where, search));
    return order === 'id' ? found : found.toSorted((a, b) => (a.awayM ?? 0) - (b.awayM ?? 0));
  };
  const wrong = (cube: EntityState): string | null => (deliveries ? wrongPadText(cube, pads) : null);
  const cubeRows = shown(cubes, (cube) => [whereText(cube), wrong(cube)].filter((text) => text !== null).join(': '));
  const objectRows = shown(objects, whereText);
  const collectedRows = shown(collected, whereText);
  const padRows = shown(pads, ({ entity_id }) => padContents(entity_id, [...cubes, ...objects]));
  return (
    <>
      <div className="scene-head row">
        <search className="search">
          <Search size={16} aria-hidden />
          <input
            className="input"
            type="search"
            aria-label="Find an entity"
            placeholder="Find by id, colour or place"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </search>
        <select
          className="input input-small"
          aria-label="Order of the list"
          value={order}
          onChange={(event) => setOrder(event.target.value as Order)}
        >
          <option value="id">By id</option>
          <option value="distance">Nearest first</option>
        </select>
      </div>
      {cubeRows.length + objectRows.length + padRows.length + collectedRows.length === 0 && (
        <div className="empty">
          <p>Nothing in the scene matches “{search}”.</p>
          <button type="button" className="button" onClick={() => setSearch('')}>
            Show everything
          </button>
        </div>
      )}
      {deliveries && (
        <section>
          <p className="section-title">{deliveries}</p>
        </section>
      )}
      <Group title="Cubes" rows={cubeRows} scene={scene} isWrong={(cube) => wrong(cube) !== null} />
      <Group title="Things" rows={objectRows} scene={scene} />
      <Group title="Pads" rows={padRows} scene={scene} />
      <Group title="Collected" rows={collectedRows} scene={scene} />
    </>
  );
}

interface Row {
  entity: EntityState;
  where: string;
  awayM: number | null;
}

interface GroupProps {
  title: string;
  rows: readonly Row[];
  scene: SceneState;
  isWrong?: (entity: EntityState) => boolean;
}

function Group({ title, rows, scene, isWrong = () => false }: GroupProps) {
  const id = `scene-${title.toLowerCase()}`;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="section-title">
        {title} <span className="section-count">{rows.length}</span>
      </h2>
      <ul className="entities">
        {rows.map((row) => (
          <EntityRow key={row.entity.entity_id} row={row} scene={scene} isWrong={isWrong(row.entity)} />
        ))}
      </ul>
    </section>
  );
}

/** One entity. A press selects it, also in the world, and shows its possible actions below. */
function EntityRow({ row: { entity, where, awayM }, scene, isWrong }: { row: Row; scene: SceneState; isWrong: boolean }) {
  const ui = useUiStore();
  const { entity_id, kind, state } = entity;
  const selected = useUi(({ selectedEntityId }) => selectedEntityId === entity_id);
  return (
    <li className="entity" data-selected={selected}>
      <button
        type="button"
        className="entity-row columns list-button"
        aria-expanded={selected}
        onClick={() => ui.setState({ selectedEntityId: selected ? null : entity_id })}
      >
        <span className={`swatch swatch-${kind}`} data-colour={state.color} aria-hidden />
        <span className="entity-id" translate="no">
          {entity_id}
        </span>
        <span className="entity-colour">{state.color ?? ''}</span>
        <span className="entity-where small muted" data-wrong={isWrong}>
          {where}
        </span>
        <span className="entity-distance small muted">{awayM === null ? '' : `${metres(awayM, 1)} away`}</span>
      </button>
      {selected && <EntityActions entity={entity} scene={scene} />}
    </li>
  );
}
