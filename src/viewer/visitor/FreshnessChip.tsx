import '../styles/visitor.css';
import { Radio } from 'lucide-react';
import { useViewer } from '../ui/common/engine-context.ts';
import { linkText, lossText } from './visit-texts.ts';

const FRESHNESS_TONES = { none: 'warn', live: 'good', old: 'warn', lost: 'bad' } as const;

const TITLE =
  'How old what you see is; for an operator also how long the robot’s answers take, and how much of its stream gets lost';

/**
 * The age of the shown state, always visible: a still picture does not reveal whether the robot stands still or the connection is
 * lost.
 */
export function FreshnessChip() {
  const text = useViewer(({ visit }) => (visit ? linkText(visit) : ''));
  const loss = useViewer(({ visit }) => visit && lossText(visit));
  // A connection that works in one direction only is not live.
  const freshness = useViewer(({ visit }) => (visit?.isAnswered === false ? 'none' : (visit?.freshness ?? 'none')));
  return (
    <p className={`chip chip-${FRESHNESS_TONES[freshness]}`} data-testid="freshness" title={TITLE}>
      <Radio size={16} aria-hidden />
      <span className="link-words">
        <span>{text}</span>
        {loss !== null && (
          <>
            <span className="link-dot">{' · '}</span>
            <span>{loss}</span>
          </>
        )}
      </span>
    </p>
  );
}
