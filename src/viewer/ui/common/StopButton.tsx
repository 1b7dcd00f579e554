import { OctagonX } from 'lucide-react';

/**
 * Stops all actions of the robot. The button has the same look and name everywhere, and the name differs from that of the
 * emergency stop. The space bar is its key.
 */
export function StopButton({ onStop, className = '' }: { onStop: () => void; className?: string }) {
  return (
    <button
      type="button"
      className={`stop-button ${className}`.trim()}
      aria-keyshortcuts="Space"
      title="Stops everything the robot does. The space bar does the same."
      onClick={onStop}
    >
      <OctagonX size={20} aria-hidden />
      Stop moving
      <kbd className="wide-only">Space</kbd>
    </button>
  );
}
