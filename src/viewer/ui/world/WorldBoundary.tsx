import { LoaderCircle } from 'lucide-react';
import { Component, type ReactNode } from 'react';

interface WorldBoundaryProps {
  children: ReactNode;
  onDrawAgain: () => void;
}

/** Contains faults of the picture, which must not break the page: the robot works without being drawn. */
export class WorldBoundary extends Component<WorldBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <WorldMissing sentence="Drawing the world failed. The robot keeps running." onDrawAgain={this.props.onDrawAgain} />;
  }
}

/** Shown over the coarse picture while the robot already works and the real picture is still being built. */
export function WorldPending() {
  return (
    <p className="world-pending row muted" role="status">
      <LoaderCircle size={16} aria-hidden className="spin" />
      Drawing the scene
    </p>
  );
}

/** Shown in place of the world when it cannot be drawn. */
export function WorldMissing({ sentence, onDrawAgain }: { sentence: string; onDrawAgain?: () => void }) {
  return (
    <div className="world world-missing">
      <div className="world-missing-card">
        <p role="status">{sentence}</p>
        {onDrawAgain && (
          <button type="button" className="button" onClick={onDrawAgain}>
            Draw it again
          </button>
        )}
      </div>
    </div>
  );
}
