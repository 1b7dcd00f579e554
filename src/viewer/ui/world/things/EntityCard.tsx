import { Bot, Box, MapPin, X } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shownName } from '../../../../common/shown-text.ts';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import { ROBOT_ENTITY_ID } from '../../../../protocol/wire/scene.ts';
import { entityBox } from '../../../../stage/entity-box.ts';
import { CopyButton } from '../../common/CopyButton.tsx';
import { hasSkill } from '../../common/contract.ts';
import { useEngine, useViewer } from '../../common/engine-context.ts';
import { usePhone } from '../../common/hooks.ts';
import { mayAct } from '../../common/may-act.ts';
import { robotWordsOf } from '../../common/robot-words.ts';
import { useUi, useUiStore } from '../../common/ui-store.ts';
import { freeCardPlace } from '../view/card-place.ts';
import type { Area } from '../view/free-areas.ts';
import { useCovers } from '../view/use-covers.ts';
import { ACTION_ICONS } from './action-icons.ts';
import type { Anchors, OnScreen } from './anchors.ts';
import { type CardAction, type CardSubject, cardActions, entitySubject, floorSubject } from './card-texts.ts';
import { mapCardPlace } from './map-card-place.ts';
import { useSkillSteps } from './use-skill-steps.ts';

/** Free space between a card and the edges of the picture, pixels; at the bottom for the view control. */
const MARGIN_PX = { side: 12, top: 64, bottom: 64 };

/** The card of the object clicked last: its name, its place, and the robot's possible actions on it. */
export function EntityCard({ anchors, coveredRightPx }: { anchors: Anchors; coveredRightPx: number }) {
  const engine = useEngine();
  const ui = useUiStore();
  const id = useUi((state) => state.selectedEntityId);
  const place = useUi((state) => state.pointedAt);
  const scene = useViewer((state) => state.scene);
  const layoutVersion = useViewer((state) => state.layoutVersion);
  const robot = useViewer(
    useShallow((state) => ({
      name: state.robot ? shownName(state.robot.name) : 'Robot',
      doing: state.statusText,
      hands: robotWordsOf(state).hands,
    })),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is a new layout.
  const layout = useMemo(() => engine.layout(), [engine, layoutVersion]);
  const subject = useMemo(() => {
    if (!layout) return null;
    if (id !== null) return entitySubject(id, scene, layout, robot);
    return place ? floorSubject(place, scene) : null;
  }, [id, place, scene, layout, robot]);
  const isGone = id !== null && scene !== null && subject === null;
  useEffect(() => {
    if (isGone) ui.setState({ selectedEntityId: null });
  }, [isGone, ui]);
  useCloseByEscape();
  if (!subject) return null;
  // Another object gets a new card, so that texts about the previous one disappear.
  return <Card key={id ?? place?.join()} subject={subject} layout={layout} anchors={anchors} coveredRightPx={coveredRightPx} />;
}

interface CardProps {
  subject: CardSubject;
  layout: ScenePlace | null;
  anchors: Anchors;
  coveredRightPx: number;
}

function Card({ subject, layout, anchors, coveredRightPx }: CardProps) {
  const ui = useUiStore();
  const phone = usePhone();
  const card = useRef<HTMLElement>(null);
  const held = useViewer((state) => state.runtime?.robot.held_entity_ids[0] ?? null);
  const scene = useViewer((state) => state.scene);
  const profile = useViewer((state) => state.profile);
  const acts = useViewer(mayAct);
  const { outcome, run } = useSkillSteps();
  usePlacedCard(card, subject, anchors, coveredRightPx, phone);
  const offered = cardActions(subject, scene, layout ?? { pads: [] }, held).filter(
    ({ steps }) => acts && steps.every(({ name }) => hasSkill({ profile }, name)),
  );
  const name = subject.id ?? 'Floor';
  const close = () => ui.setState({ selectedEntityId: null, pointedAt: null });
  return (
    <section
      ref={card}
      className="entity-card surface"
      aria-label={`About ${subject.id ?? 'this place'}`}
      data-kind={subject.kind}
    >
      <header className="entity-card-head columns">
        <KindMark kind={subject.kind} colour={subject.colour} />
        <h2 className="entity-card-name cut" title={name}>
          {name}
        </h2>
        {subject.id !== null && <p className="entity-card-kind">{subject.title}</p>}
        <button type="button" className="icon-button icon-button-small" aria-label="Close this card" onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <dl className="entity-facts stack gap-1">
        {subject.facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Actions actions={offered} run={run} />
      <div role="status" className="entity-card-outcome">
        {outcome && (
          <p className={outcome.tone === 'bad' ? 'text-bad' : outcome.tone === 'good' ? 'text-good' : 'muted'}>{outcome.text}</p>
        )}
        {outcome?.hint && <p className="muted">{outcome.hint}</p>}
      </div>
      <footer className="entity-card-foot">
        {subject.id !== null && <CopyButton label="Copy id" text={() => subject.id ?? ''} />}
        <CopyButton label="Copy pose" text={() => JSON.stringify(subject.pose)} />
      </footer>
    </section>
  );
}

function KindMark({ kind, colour }: Pick<CardSubject, 'kind' | 'colour'>) {
  if (kind === 'cube' || kind === 'object' || kind === 'pad')
    return <span className={`swatch swatch-${kind}`} data-colour={colour ?? undefined} aria-hidden />;
  const Icon = { robot: Bot, obstacle: Box, floor: MapPin }[kind];
  return <Icon size={16} className="text-accent" aria-hidden />;
}

function Actions({ actions, run }: { actions: readonly CardAction[]; run: (action: CardAction) => void }) {
  if (actions.length === 0) return null;
  return (
    <div className="entity-card-actions stack gap-1">
      {actions.map((action, index) => {
        const Icon = ACTION_ICONS[action.icon];
        return (
          <button
            key={action.label}
            type="button"
            className={index === 0 ? 'button button-main' : 'button'}
            onClick={() => run(action)}
          >
            <Icon size={14} aria-hidden />
            {action.label}
          </button>
        );
      })}
    </div>
  );
}

type MapPlacing = (
  at: OnScreen | null,
  others: readonly (OnScreen | null)[],
  size: { width: number; height: number },
  area: Area,
) => { x: number; y: number };

/**
 * Keeps the card beside its object and out from under panels. On a map, it is where it hides least; on a phone, it has a fixed
 * place.
 */
function usePlacedCard(
  card: RefObject<HTMLElement | null>,
  subject: CardSubject,
  anchors: Anchors,
  coveredRightPx: number,
  phone: boolean,
): void {
  const engine = useEngine();
  const { id } = subject;
  const [x, y] = subject.pose.position;
  const floorPoint = useMemo(() => [x, y, 0] as const, [x, y]);
  const onMap = useUi(({ view }) => view === 'top');
  const [picture, setPicture] = useState<HTMLElement | null>(null);
  useEffect(() => setPicture(card.current?.parentElement ?? null), [card]);
  const covers = useCovers(phone ? null : picture);
  useEffect(() => {
    if (phone) {
      if (card.current) card.current.style.transform = '';
      return;
    }
    /** The card keeps its place while the map is still, whatever moves on it. */
    let mapPlace: { of: string; to: { x: number; y: number } } | null = null;
    const placeOnMap: MapPlacing = (at, others, size, area) => {
      const still = others.slice(0, engine.layout()?.pads.length ?? 0);
      const of = JSON.stringify([size, area, still.map((point) => point && [Math.round(point.x), Math.round(point.y)])]);
      if (mapPlace?.of !== of)
        mapPlace = {
          of,
          to: mapCardPlace(
            at,
            others.filter((point) => point !== null),
            size,
            area,
            covers,
          ),
        };
      return mapPlace.to;
    };
    return anchors.add({
      points() {
        const layout = engine.layout();
        const latest = engine.frames.latest();
        const pads = onMap ? (layout?.pads ?? []).map(({ position }) => position) : [];
        const moving = onMap && latest ? [latest.rootPose.position, ...latest.things.map(({ position }) => position)] : [];
        if (id === null) return [floorPoint, ...pads, ...moving];
        const box = layout && entityBox(id, latest, layout);
        // The card is beside the robot's chest rather than its belly, because people watch its hands.
        const own = box && (id === ROBOT_ENTITY_ID ? ([box.centre[0], box.centre[1], box.size[2] * 0.8] as const) : box.centre);
        return [own, ...pads, ...moving];
      },
      place([at = null, ...others], { widthPx, heightPx }) {
        const element = card.current;
        if (!element) return;
        const area = {
          left: MARGIN_PX.side,
          top: MARGIN_PX.top,
          right: widthPx - coveredRightPx - MARGIN_PX.side,
          bottom: heightPx - MARGIN_PX.bottom,
        };
        const size = { width: element.offsetWidth, height: element.offsetHeight };
        const to = onMap ? placeOnMap(at, others, size, area) : freeCardPlace(at, size, area, covers);
        element.style.transform = `translate(${to.x}px, ${to.y}px)`;
      },
    });
  }, [card, anchors, engine, id, floorPoint, coveredRightPx, phone, onMap, covers]);
}

/** Closes the card on Escape, unless an element over it needs the key. */
function useCloseByEscape(): void {
  const ui = useUiStore();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      ui.setState({ selectedEntityId: null, pointedAt: null });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [ui]);
}
