import { memo } from 'react';
import { quoted, shownName } from '../../../common/shown-text.ts';
import type { SessionState } from '../../../protocol/service/session-state.ts';
import { isSceneId, SCENES } from '../../../protocol/wire/scene-ids.ts';
import type { Tone } from '../robot-texts.ts';
import type { SeenPlace } from '../seen-places.ts';
import { isOnFloor, type PlanShapes } from './plan-shapes.ts';
import { isOld, noPlaceText, placeAgeText, placeText } from './plan-texts.ts';
import { usePlan } from './scene-plans.ts';
import { useAgeMs } from './use-age.ts';

/** The size of a plan in a card, in pixels; `robots.css` has the same values. */
const FRAME = { width: 132, height: 152 };

interface RobotPlanProps {
  name: string;
  session: SessionState | null | undefined;
  /** The robot's last reported place; undefined if it has reported none in this session. */
  seen: SeenPlace | undefined;
  tone: Tone;
}

/**
 * The robot in its scene from above, drawn from its own reports and not from a camera. If the place is unknown, a text replaces
 * the plan.
 */
export function RobotPlan({ name, session, seen, tone }: RobotPlanProps) {
  return (
    <figure className="plan">
      {seen === undefined ? (
        <p className="plan-words stack gap-1 small">{noPlaceText(session)}</p>
      ) : (
        <SeenPlan name={name} seen={seen} tone={tone} />
      )}
    </figure>
  );
}

function SeenPlan({ name, seen, tone }: { name: string; seen: SeenPlace; tone: Tone }) {
  const plan = usePlan(seen.sceneId);
  const ageMs = useAgeMs(seen);
  const old = isOld(ageMs);
  const scene = isSceneId(seen.sceneId) ? SCENES[seen.sceneId].title : null;
  return (
    <>
      {plan.kind === 'known' ? (
        <svg
          className={old ? 'plan-picture plan-old' : 'plan-picture'}
          viewBox={viewBox(plan.shapes)}
          role="img"
          aria-label={`Plan of the scene ${scene}, from above: ${name} ${placeText(seen, plan.shapes)}`}
        >
          <Ground shapes={plan.shapes} />
          {isOnFloor(plan.shapes, seen.place.x_m, seen.place.y_m) ? <Mark seen={seen} shapes={plan.shapes} tone={tone} /> : null}
        </svg>
      ) : (
        <p className="plan-words stack gap-1 small">
          {WITHOUT_PLAN[plan.kind](seen)} <span className="muted">It is {placeText({ ...seen, heldEntityIds: [] }, null)}.</span>
        </p>
      )}
      <figcaption className="plan-foot small">
        <span className="plan-scene">{scene ?? ''}</span>
        <span className={old ? 'plan-age plan-age-old' : 'plan-age'} data-testid="plan-age" title="How old this place is">
          {placeAgeText(ageMs)}
        </span>
      </figcaption>
    </>
  );
}

const WITHOUT_PLAN = {
  loading: () => 'The plan is coming.',
  failed: () => 'The plan could not be loaded. Reload the page.',
  unknown: ({ sceneId }: SeenPlace) =>
    sceneId === null ? 'Its scene is unknown.' : `This page has no plan of its scene ${quoted(shownName(sceneId))}.`,
} as const;

/** A margin around the floor for its edge. */
const EDGE_M = 0.15;
const viewBox = ({ floor: { left, top, width, height } }: PlanShapes): string =>
  `${left - EDGE_M} ${top - EDGE_M} ${width + 2 * EDGE_M} ${height + 2 * EDGE_M}`;

/** Returns the metres per pixel of the frame. */
const pixelM = ({ floor: { width, height } }: PlanShapes): number =>
  Math.max((width + 2 * EDGE_M) / FRAME.width, (height + 2 * EDGE_M) / FRAME.height);

/** The fixed objects of a scene, drawn once for each card. */
const Ground = memo(function Ground({ shapes }: { shapes: PlanShapes }) {
  const { floor, racks, belts, others, pads } = shapes;
  const pixel = pixelM(shapes);
  return (
    <g>
      <rect className="plan-floor" x={floor.left} y={floor.top} width={floor.width} height={floor.height} rx={3 * pixel} />
      <path className="plan-belt" d={belts} />
      <path className="plan-rack" d={racks} />
      {pads.map(({ id, colour, path, letter, x, y }) => (
        <g key={id}>
          <path className={colour === null ? 'plan-pad' : `plan-pad plan-pad-${colour}`} d={path} />
          {letter === null ? null : (
            <text className="plan-letter" transform={`translate(${x} ${y}) scale(${pixel})`}>
              {letter}
            </text>
          )}
        </g>
      ))}
      <path className="plan-other" d={others} />
    </g>
  );
});

/** The robot at a well visible size, independent of the scene's size, with the object that it holds in front. */
function Mark({ seen, shapes, tone }: { seen: SeenPlace; shapes: PlanShapes; tone: Tone }) {
  const { x_m: x, y_m: y, yaw_deg: yawDeg } = seen.place;
  return (
    <g
      className={`plan-robot plan-robot-${tone}`}
      data-testid="plan-robot"
      transform={`translate(${x} ${-y}) rotate(${-yawDeg}) scale(${pixelM(shapes)})`}
    >
      <path className="plan-robot-body" d="M12 0L3.4 6A7 7 0 1 1 3.4 -6Z" />
      {seen.heldEntityIds.length > 0 ? <rect className="plan-held" x="11" y="-3.5" width="7" height="7" rx="1" /> : null}
    </g>
  );
}
