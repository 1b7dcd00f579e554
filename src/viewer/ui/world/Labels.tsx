import { useEffect, useMemo, useRef } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Vec3 } from '../../../protocol/geometry.ts';
import type { Pad, SceneLayout } from '../../../protocol/scene.ts';
import { entityBox } from '../../../stage/entity-box.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { useUi } from '../common/ui-store.ts';
import type { Anchors } from './anchors.ts';

/** A label is whole up to here and gone beyond there, metres from the eye. */
const CLEAR_TO_M = 4;
const GONE_FROM_M = 16;
/** Above the thing it names, metres. */
const ABOVE_M = 0.1;

/** How strongly a label is drawn: not at all for what stands behind something. @param distanceM from the eye */
export function labelOpacity(distanceM: number, hidden: boolean): number {
  if (hidden) return 0;
  const near = (GONE_FROM_M - distanceM) / (GONE_FROM_M - CLEAR_TO_M);
  const clear = Math.min(1, Math.max(0, near));
  // Text that can hardly be read is worse than none.
  return clear < 0.2 ? 0 : 0.4 + 0.6 * clear;
}

/**
 * Names in the world: the pads always, anything else only while it is pointed at, held or selected. The Scene tab has them all, so a
 * screen reader needs none of these.
 */
export function Labels({ layout, anchors }: { layout: SceneLayout; anchors: Anchors }) {
  const shown = useUi((state) => state.overlays.labels);
  const pointed = useUi(useShallow((state) => [state.hoveredEntityId, state.selectedEntityId]));
  const held = useViewer(useShallow((state) => state.runtime?.robot.held_entity_ids ?? []));
  const pads = useMemo(() => new Map(layout.pads.map((pad) => [pad.pad_id, pad])), [layout]);
  const emphasised = new Set([...pointed.filter((id) => id !== null), ...held]);
  const ids = shown ? [...new Set([...pads.keys(), ...emphasised])] : pointed[0] != null ? [pointed[0]] : [];
  return (
    <div className="world-labels" aria-hidden>
      {ids.map((id) => (
        <Label key={id} id={id} pad={pads.get(id)} strong={emphasised.has(id)} layout={layout} anchors={anchors} />
      ))}
    </div>
  );
}

interface LabelProps {
  id: string;
  /** What it names, if that is a pad: its colour stands beside its name, so that the name is not taken for that of a cube on it. */
  pad: Pad | undefined;
  strong: boolean;
  layout: SceneLayout;
  anchors: Anchors;
}

function Label({ id, pad, strong, layout, anchors }: LabelProps) {
  const { frames } = useEngine();
  const element = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      anchors.add({
        point: () => labelPoint(id, frames.latest(), layout),
        place(at) {
          const span = element.current;
          if (!span) return;
          const opacity = at === null ? 0 : strong ? 1 : labelOpacity(at.distanceM, at.hidden);
          span.style.visibility = opacity > 0 ? 'visible' : 'hidden';
          if (!at || opacity === 0) return;
          span.style.opacity = opacity.toFixed(2);
          span.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px) translate(-50%, -100%)`;
        },
      }),
    [anchors, frames, id, strong, layout],
  );
  return (
    <span ref={element} className="world-label" data-strong={strong}>
      {pad?.color && <span className="swatch swatch-pad" data-colour={pad.color} />}
      {pad?.role === 'source' ? `${id}, belt` : id}
    </span>
  );
}

function labelPoint(id: string, state: Parameters<typeof entityBox>[1], layout: SceneLayout): Vec3 | null {
  const box = entityBox(id, state, layout);
  return box && [box.centre[0], box.centre[1], box.centre[2] + box.size[2] / 2 + ABOVE_M];
}
