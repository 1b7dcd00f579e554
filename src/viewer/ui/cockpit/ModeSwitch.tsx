import { useStore } from 'zustand';
import type { Cockpit } from './cockpit-controller.ts';

/** Legs or arms; the key M changes between them. */
export function ModeSwitch({ cockpit }: { cockpit: Cockpit }) {
  const arms = useStore(cockpit.view, (view) => view.arms);
  const text = { off: 'Arms', entering: 'Stopping first', on: 'Arms', leaving: 'Leaving' }[arms];
  return (
    <fieldset className="cockpit-modes row-inline gap-1 muted" aria-label="What the hands move">
      <button
        type="button"
        className="cockpit-mode"
        aria-pressed={arms === 'off'}
        onClick={() => arms !== 'off' && cockpit.toggleArms()}
      >
        Drive
      </button>
      <button
        type="button"
        className="cockpit-mode"
        aria-pressed={arms !== 'off'}
        data-busy={arms === 'entering' || arms === 'leaving'}
        onClick={() => arms === 'off' && cockpit.toggleArms()}
      >
        {text}
      </button>
      <kbd className="wide-only" title="M changes between legs and arms">
        M
      </kbd>
    </fieldset>
  );
}
