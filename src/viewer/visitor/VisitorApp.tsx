import { Suspense } from 'react';
import { Announcer } from '../ui/bar/Announcer.tsx';
import { usePageTitle } from '../ui/bar/use-page-title.ts';
import { useViewer } from '../ui/common/engine-context.ts';
import { usePhone } from '../ui/common/hooks.ts';
import { PartBoundary } from '../ui/common/PartBoundary.tsx';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { SidePanel, WorldMain } from '../ui/lazy-parts.tsx';
import { VisitEnded, VisitLoading } from './VisitCards.tsx';
import { VisitNotice } from './VisitNotice.tsx';
import { VisitorBar } from './VisitorBar.tsx';

/** The page of somebody who looks at a robot that lives elsewhere: its world, how new that is, and nothing that would act. */
export function VisitorApp({ onOtherKey }: { onOtherKey: () => void }) {
  const phase = useViewer((state) => state.phase);
  const freshness = useViewer((state) => state.visit?.freshness ?? 'none');
  const phone = usePhone();
  const ui = useUiStore();
  const panelOpen = useUi((state) => state.panelOpen);
  usePageTitle();
  if (phase === 'gate') return null;
  const panelShown = phase === 'live' && panelOpen;
  return (
    <div
      className="interface visitor"
      data-phase={phase}
      data-panel={panelShown ? 'open' : 'closed'}
      data-freshness={freshness}
      data-driving={false}
    >
      <WorldMain panelShown={panelShown && !phone} />
      <header className="head">
        <PartBoundary name="The bar at the top">
          <VisitorBar panelOpen={panelOpen} onPanelOpen={(open) => ui.setState({ panelOpen: open })} />
          <VisitNotice />
        </PartBoundary>
      </header>
      {phase === 'loading' && <VisitLoading />}
      {phase === 'ended' && <VisitEnded onOtherKey={onOtherKey} />}
      <Suspense>
        {panelShown && (
          <PartBoundary name="The list of what is where">
            <SidePanel withCameras={false} />
          </PartBoundary>
        )}
      </Suspense>
      <Announcer />
    </div>
  );
}
