import { Pause, Play } from 'lucide-react';
import { useEffect } from 'react';
import { STEPS_PER_SECOND } from '../../protocol/wire/limits.ts';
import { PLAY_SPEEDS } from '../engine/replay/player.ts';
import { factor } from '../ui/common/format.ts';
import { outcomeOfAction } from '../ui/common/outcomes.ts';
import { useRobotWords } from '../ui/common/robot-words.ts';
import { actionTitle } from '../ui/common/texts.ts';
import { useReplay, useReplayEngine } from './replay-context.ts';
import { momentText } from './replay-texts.ts';

/** Distance that an arrow key moves, in steps. */
const ARROW_STEPS = STEPS_PER_SECOND;

/** The timeline: play, pause, move to any moment, and see when each action ran. */
export function PlayBar() {
  const engine = useReplayEngine();
  const position = useReplay((state) => state.positionStep);
  const isPlaying = useReplay((state) => state.isPlaying);
  const speed = useReplay((state) => state.speed);
  const steps = useReplay((state) => state.facts?.steps ?? 0);
  const checked = useReplay((state) => state.checkedSteps);
  const toggle = () => (isPlaying ? engine.pause() : engine.play());
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || (event.target instanceof HTMLElement && event.target.closest('button, input, select, a'))) return;
      event.preventDefault();
      if (engine.replay.getState().isPlaying) engine.pause();
      else engine.play();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [engine]);
  return (
    <section className="play-bar row gap-3 surface" aria-label="Time of the run">
      <button
        type="button"
        className="icon-button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        title={`${isPlaying ? 'Pause' : 'Play'} (space)`}
        onClick={toggle}
      >
        {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
      </button>
      <div className="play-line">
        <ActionMarks steps={steps} />
        <input
          type="range"
          className="play-range"
          aria-label="Moment"
          aria-valuetext={`${momentText(position)} of ${momentText(steps)}`}
          min={0}
          max={Math.max(1, steps)}
          step={ARROW_STEPS / 10}
          value={position}
          onChange={({ target }) => engine.seek(Math.min(Number(target.value), checked))}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -ARROW_STEPS, ArrowRight: ARROW_STEPS }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            engine.seek(position + by);
          }}
        />
      </div>
      <p className="play-time">
        {momentText(position)} <span className="play-length muted">/ {momentText(steps)}</span>
      </p>
      <select
        className="input play-speed"
        aria-label="Speed"
        value={speed}
        onChange={({ target }) => engine.setSpeed(Number(target.value))}
      >
        {PLAY_SPEEDS.map((choice) => (
          <option key={choice} value={choice}>
            {factor(choice)}
          </option>
        ))}
      </select>
    </section>
  );
}

/** A bar for each action, from its beginning to its end. */
function ActionMarks({ steps }: { steps: number }) {
  const actions = useReplay((state) => state.actions);
  const robot = useRobotWords();
  return (
    <svg className="play-marks" viewBox={`0 0 ${Math.max(1, steps)} 10`} preserveAspectRatio="none" aria-hidden="true">
      {actions.map(({ record, fromStep, toStep }) => (
        <rect
          key={record.actionId}
          className={`play-mark outcome-${outcomeOfAction(record)}`}
          x={fromStep}
          width={Math.max((toStep ?? steps) - fromStep, steps / 400)}
          height={10}
        >
          <title>{actionTitle(record, robot)}</title>
        </rect>
      ))}
    </svg>
  );
}
