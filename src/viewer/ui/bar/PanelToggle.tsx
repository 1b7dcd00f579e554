import { PanelRight } from 'lucide-react';

/** Opens and closes the side panel. */
export function PanelToggle({ open, onOpen }: { open: boolean; onOpen(open: boolean): void }) {
  return (
    <button
      type="button"
      className="icon-button panel-toggle"
      aria-label="Side panel"
      aria-pressed={open}
      onClick={() => onOpen(!open)}
    >
      <PanelRight size={18} aria-hidden />
    </button>
  );
}
