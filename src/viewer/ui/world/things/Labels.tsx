import { useEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { clamp } from '../../../../common/clamp.ts';
import { quatToYaw, type Vec3 } from '../../../../protocol/wire/geometry.ts';
import { carrierOf, type ScenePlace } from '../../../../protocol/wire/place.ts';
import { ROBOT_ENTITY_ID } from '../../../../protocol/wire/scene.ts';
import { type EntityBox, entityBox } from '../../../../stage/entity-box.ts';
import { useEngine, useViewer } from '../../common/engine-context.ts';
import { useUi } from '../../common/ui-store.ts';
import type { Area } from '../view/free-areas.ts';
import { useCovers } from '../view/use-covers.ts';
import type { Anchors, OnScreen } from './anchors.ts';
import { areaAbove, isFree, labelCorners } from './label-places.ts';

/** A label is opaque up to the first distance and gone beyond the second, metres from the eye. */
const CLEAR_TO_M = 4;
const GONE_FROM_M = 16;
/** Height above the named thing, metres. */
const ABOVE_M = 0.1;

/** Returns the opacity of a label; zero for a hidden object. @param distanceM from the eye */
export function labelOpacity(distanceM: number, hidden: boolean): number {
  if (hidden) return 0;
  const near = (GONE_FROM_M - distanceM) / (GONE_FROM_M - CLEAR_TO_M);
  const clear = clamp(near, 0, 1);
  // Barely readable text is worse than none.
  return clear < 0.2 ? 0 : 0.4 + 0.6 * clear;
}

/**
 * Labels in the world: those of pads always, from above the robot too; any other only while its object is pointed at, held or
 * selected. The Scene tab lists all objects, so a screen reader needs no labels.
 */
export function Labels({ layout, anchors }: { layout: ScenePlace; anchors: Anchors }) {
  const shown = useUi((state) => state.overlays.labels);
  const fromAbove = useUi((state) => state.view === 'top');
  const pointed = useUi(useShallow((state) => [state.hoveredEntityId, state.selectedEntityId]));
  const held = useViewer(useShallow((state) => state.runtime?.robot.held_entity_ids ?? []));
  const pads = useMemo(() => new Map(layout.pads.map((pad) => [pad.pad_id, pad])), [layout]);
  const emphasised = new Set([...pointed.filter((id) => id !== null), ...held]);
  const always = [...(fromAbove ? [ROBOT_ENTITY_ID] : []), ...pads.keys()];
  const ids = shown ? [...new Set([...emphasised, ...always])] : pointed[0] != null ? [pointed[0]] : [];
  const spans = useRef(new Map<string, HTMLSpanElement>());
  const [labels, setLabels] = useState<HTMLElement | null>(null);
  const covers = useCovers(labels);
  usePlacedLabels(ids, emphasised, { layout, anchors, fromAbove, covers, spans: spans.current });
  return (
    <div className="world-labels" ref={setLabels} aria-hidden>
      {ids.map((id) => {
        const pad = pads.get(id);
        return (
          <span
            key={id}
            ref={(span) => {
              if (span) spans.current.set(id, span);
              else spans.current.delete(id);
            }}
            className="world-label"
            data-strong={emphasised.has(id)}
          >
            {/* The pad's colour is beside its name, so that the name is not mistaken for that of a cube on it. */}
            {pad?.color && <span className="swatch swatch-pad" data-colour={pad.color} />}
            {pad?.role === 'source' ? [id, carrierOf(layout, id)?.kind].filter(Boolean).join(', ') : id}
          </span>
        );
      })}
    </div>
  );
}

interface Placing {
  layout: ScenePlace;
  anchors: Anchors;
  fromAbove: boolean;
  /** Bars and panels over the picture, through which labels would be visible. */
  covers: readonly Area[];
  spans: ReadonlyMap<string, HTMLSpanElement>;
}

/** Keeps each label at its object. @param ids the most important first */
function usePlacedLabels(
  ids: readonly string[],
  strong: ReadonlySet<string>,
  { layout, anchors, fromAbove, covers, spans }: Placing,
): void {
  const { frames } = useEngine();
  const named = JSON.stringify(ids.map((id) => [id, strong.has(id)]));
  useEffect(() => {
    const labels = (JSON.parse(named) as [string, boolean][]).flatMap(([id, isStrong]) => {
      const span = spans.get(id);
      return span ? [{ id, isStrong, span, widthPx: span.offsetWidth, heightPx: span.offsetHeight }] : [];
    });
    return anchors.add({
      points() {
        const state = frames.latest();
        return labels.flatMap(({ id }) => {
          const box = entityBox(id, state, layout);
          return fromAbove ? (box ? cornersOf(box) : [null, null, null, null]) : [box && aboveOf(box)];
        });
      },
      outdated() {
        for (const { span } of labels) show(span, 0);
      },
      place(at, picture) {
        if (fromAbove) return placeOnMap(labels, at, picture, covers);
        labels.forEach((label, k) => {
          const point = at[k] ?? null;
          const area = point && areaAbove(point, label, picture);
          const isSeen = area !== null && isFree(area, covers);
          show(label.span, !point || !isSeen ? 0 : label.isStrong ? 1 : labelOpacity(point.distanceM, point.hidden));
          if (area) label.span.style.transform = moveTo(area.left, area.top);
        });
      },
    });
  }, [anchors, frames, layout, fromAbove, covers, spans, named]);
}

interface PlacedLabel {
  span: HTMLSpanElement;
  widthPx: number;
  heightPx: number;
}

/**
 * Places labels on the map: each beside its object, complete from any height, and over no other label. @param at four corners for
 * each
 */
function placeOnMap(
  labels: readonly PlacedLabel[],
  at: readonly (OnScreen | null)[],
  picture: { widthPx: number; heightPx: number },
  covers: readonly Area[],
): void {
  const wishes = labels.flatMap(({ span, widthPx, heightPx }, k) => {
    const corners = at.slice(4 * k, 4 * k + 4).filter((corner) => corner !== null);
    if (corners.length < 4) {
      show(span, 0);
      return [];
    }
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const thing = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
    return [{ span, thing, widthPx, heightPx }];
  });
  const corners = labelCorners(wishes, picture);
  wishes.forEach(({ span, widthPx, heightPx }, k) => {
    const corner = corners[k];
    const isSeen =
      corner && isFree({ left: corner.x, top: corner.y, right: corner.x + widthPx, bottom: corner.y + heightPx }, covers);
    show(span, isSeen ? 1 : 0);
    if (corner) span.style.transform = moveTo(corner.x, corner.y);
  });
}

const moveTo = (x: number, y: number): string => `translate(${Math.round(x)}px, ${Math.round(y)}px)`;

function show(span: HTMLSpanElement, opacity: number): void {
  span.style.visibility = opacity > 0 ? 'visible' : 'hidden';
  if (opacity > 0) span.style.opacity = opacity.toFixed(2);
}

const aboveOf = ({ centre, size }: EntityBox): Vec3 => [centre[0], centre[1], centre[2] + size[2] / 2 + ABOVE_M];

/** Returns the upper corners of an object's box, which are visible from above. */
function cornersOf({ centre: [x, y, z], orientation, size }: EntityBox): Vec3[] {
  const yawRad = quatToYaw(orientation);
  const [cos, sin] = [Math.cos(yawRad) / 2, Math.sin(yawRad) / 2];
  return [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ].map(([along = 0, across = 0]) => [
    x + cos * along * size[0] - sin * across * size[1],
    y + sin * along * size[0] + cos * across * size[1],
    z + size[2] / 2,
  ]);
}
