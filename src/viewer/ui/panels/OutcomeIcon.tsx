import { CircleCheck, CircleSlash, CircleX, LoaderCircle } from 'lucide-react';
import type { ActionView } from '../../engine/types.ts';

/** Outcome by shape as well as by colour. */
export function OutcomeIcon({ status }: { status: ActionView['status'] }) {
  switch (status) {
    case 'running':
      return <LoaderCircle size={18} aria-hidden className="spin text-accent" />;
    case 'done':
      return <CircleCheck size={18} aria-hidden className="text-good" />;
    case 'failed':
      return <CircleX size={18} aria-hidden className="text-bad" />;
    case 'cancelled':
      return <CircleSlash size={18} aria-hidden className="text-warn" />;
  }
}
