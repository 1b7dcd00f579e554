import { CircleAlert, CircleCheck, CircleMinus, CircleSlash, CircleX, LoaderCircle } from 'lucide-react';
import type { Outcome } from '../common/outcomes.ts';

/** Shows an outcome by shape as well as by colour. */
export function OutcomeIcon({ outcome }: { outcome: Outcome }) {
  switch (outcome) {
    case 'running':
      return <LoaderCircle size={18} aria-hidden className="spin text-accent" />;
    case 'done':
      return <CircleCheck size={18} aria-hidden className="text-good" />;
    case 'failed':
      return <CircleX size={18} aria-hidden className="text-bad" />;
    case 'refused':
      return <CircleMinus size={18} aria-hidden className="outcome-refused" />;
    case 'interrupted':
      return <CircleAlert size={18} aria-hidden className="text-warn" />;
    case 'cancelled':
      return <CircleSlash size={18} aria-hidden className="text-warn" />;
  }
}
