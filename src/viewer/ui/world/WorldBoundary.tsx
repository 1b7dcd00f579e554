import { Component, type ReactNode } from 'react';

/** The robot works without being drawn: a fault of the picture must not take the page with it. */
export class WorldBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <WorldMissing sentence="The picture of the world stopped with a fault. The robot works on; reload the page to see it again." />
    );
  }
}

/** In the place of the world when it cannot be drawn. */
export function WorldMissing({ sentence }: { sentence: string }) {
  return (
    <div className="world world-missing">
      <p role="status">{sentence}</p>
    </div>
  );
}
