import { Component, type ReactNode } from 'react';

interface PartBoundaryProps {
  /** Name of the part, as the beginning of a sentence: "The workbench". */
  name: string;
  children: ReactNode;
}

/**
 * Contains a fault of one part of the page, including a part that could not be loaded. The rest continues, including the robot
 * and everything that stops it.
 */
export class PartBoundary extends Component<PartBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="part-missing" role="alert">
        <p>{this.props.name} failed, and is hidden. The robot keeps running. If it fails again, reload the page.</p>
        <button type="button" className="button" onClick={() => this.setState({ failed: false })}>
          Show it again
        </button>
      </div>
    );
  }
}
