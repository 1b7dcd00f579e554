import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { ActionView } from '../../engine/types.ts';
import { useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { OUTCOME_TEXTS, outcomeOfAction } from '../common/outcomes.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle } from '../common/texts.ts';
import { type LaneBar, type LaneKind, timelineLanes, timelineText } from './timeline-lanes.ts';

const SPANS_MIN = [1, 5, 30] as const;

interface TimelineProps {
  actions: readonly ActionView[];
  openId: string | null;
  onOpen: (actionId: string) => void;
}

/** The actions over time: one lane for each body part or each caller, with the present at the right edge. */
export function Timeline({ actions, openId, onOpen }: TimelineProps) {
  const known = useViewer((state) => state.known);
  const robot = useRobotWords();
  const [minutes, setMinutes] = useState<number>(5);
  const [kind, setKind] = useState<LaneKind>('body');
  const strip = useRef<HTMLDivElement>(null);
  const isRunning = actions.some(({ status }) => status === 'running');
  const nowMs = useNow(isRunning ? 250 : 1_000);
  const spanMs = minutes * 60_000;
  const lanes = useMemo(
    () => timelineLanes(actions, kind, nowMs, spanMs, known, robot),
    [actions, kind, nowMs, spanMs, known, robot],
  );
  /** The strip is one stop of the Tab key; the arrow keys move from bar to bar. */
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const bars = [...(strip.current?.querySelectorAll<HTMLElement>('.bar') ?? [])];
    const next = step === undefined ? undefined : bars[bars.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const lastBar = lanes.flatMap(({ bars }) => bars).at(-1);
  const stopId = lanes.some(({ bars }) => bars.some(({ action }) => action.actionId === openId))
    ? openId
    : lastBar?.action.actionId;
  return (
    <section className="timeline" aria-label="Timeline">
      <div className="timeline-head row spread">
        <select
          className="input input-small"
          aria-label="Lanes of the timeline"
          value={kind}
          onChange={(event) => setKind(event.target.value as LaneKind)}
        >
          <option value="body">By part of the body</option>
          <option value="caller">By caller</option>
        </select>
        <div className="segments segments-small">
          {SPANS_MIN.map((value) => (
            <label key={value} className="segment">
              <input type="radio" name="timeline-span" checked={minutes === value} onChange={() => setMinutes(value)} />
              <span>{value} min</span>
            </label>
          ))}
        </div>
      </div>
      <p className="visually-hidden">{timelineText(lanes, spanMs)}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars, not of form fields. */}
      <div ref={strip} className="lanes" role="group" aria-label="Actions over time" onKeyDown={onKeyDown}>
        {lanes.length === 0 && <p className="muted lane-none">There were no calls in this time.</p>}
        {lanes.map(({ id, label, bars }) => (
          <div key={id} className="lane columns">
            <span className="lane-label cut muted" title={label}>
              {label}
            </span>
            <div className="lane-bars">
              {bars.map((bar) => (
                <Bar
                  key={bar.action.actionId}
                  bar={bar}
                  open={bar.action.actionId === openId}
                  stop={bar.action.actionId === stopId}
                  onOpen={onOpen}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className="timeline-scale small" aria-hidden>
        <span>−{minutes} min</span>
        <span>−{minutes === 1 ? '30 s' : `${minutes / 2} min`}</span>
        <span>now</span>
      </div>
    </section>
  );
}

interface BarProps {
  bar: LaneBar;
  open: boolean;
  stop: boolean;
  onOpen: (actionId: string) => void;
}

function Bar({ bar: { action, from, to }, open, stop, onOpen }: BarProps) {
  const robot = useRobotWords();
  const { actionId, startedAtMs, finishedAtMs } = action;
  const outcome = outcomeOfAction(action);
  const took = finishedAtMs === null ? '' : `, ${duration(finishedAtMs - startedAtMs)}`;
  const text = `${actionTitle(action, robot)}: ${OUTCOME_TEXTS[outcome].toLowerCase()}${took}`;
  return (
    <button
      type="button"
      className="bar"
      data-outcome={outcome}
      data-open={open}
      tabIndex={stop ? 0 : -1}
      title={text}
      aria-label={text}
      style={{ left: `${(from * 100).toFixed(2)}%`, width: `${((to - from) * 100).toFixed(2)}%` }}
      onClick={() => onOpen(actionId)}
    />
  );
}
