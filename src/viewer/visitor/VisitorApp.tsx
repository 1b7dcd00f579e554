import { Suspense, useRef } from 'react';
import { Announcer } from '../ui/bar/Announcer.tsx';
import { RcwNotices } from '../ui/bar/RcwNotices.tsx';
import { RunningBar } from '../ui/bar/RunningBar.tsx';
import { useHeadHeight } from '../ui/bar/use-head-height.ts';
import { usePageTitle } from '../ui/bar/use-page-title.ts';
import { useStopKey } from '../ui/bar/use-stop-key.ts';
import { useViewer } from '../ui/common/engine-context.ts';
import { usePhone } from '../ui/common/hooks.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { PartBoundary } from '../ui/common/PartBoundary.tsx';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { CamerasPanel, ManualControlPanel, SidePanel, WorldMain } from '../ui/lazy-parts.tsx';
import { VisitorDrivers } from './drive-parts.tsx';
import { VisitEnded, VisitLoading } from './VisitCards.tsx';
import { VisitNotice } from './VisitNotice.tsx';
import { VisitorBar } from './VisitorBar.tsx';

/**
 * The page of a robot that runs elsewhere: its world and the age of the shown state. A watching page has no controls. An operator
 * has the same workbench and controls as the person at the robot's own page, over the room.
 */
export function VisitorApp({ onOtherKey }: { onOtherKey: () => void }) {
  const phase = useViewer((state) => state.phase);
  const freshness = useViewer((state) => state.visit?.freshness ?? 'none');
  const phone = usePhone();
  const ui = useUiStore();
  const panelOpen = useUi((state) => state.panelOpen);
  const acts = useViewer(mayAct);
  const camerasOpen = useUi((state) => state.camerasOpen);
  const driving = useUi((state) => state.driving) && acts && phase === 'live';
  const head = useRef<HTMLElement>(null);
  useHeadHeight(head, phase);
  useStopKey();
  usePageTitle();
  if (phase === 'gate') return null;
  const panelShown = phase === 'live' && panelOpen;
  return (
    <div
      className="interface visitor"
      data-phase={phase}
      data-panel={panelShown ? 'open' : 'closed'}
      data-freshness={freshness}
      data-driving={driving}
    >
      <WorldMain panelShown={panelShown && !phone} />
      <header className="head" ref={head}>
        <PartBoundary name="The bar at the top">
          <VisitorBar panelOpen={panelOpen} onPanelOpen={(open) => ui.setState({ panelOpen: open })} />
          <VisitNotice />
          <RcwNotices />
          <VisitorDrivers />
        </PartBoundary>
      </header>
      {phase === 'loading' && <VisitLoading />}
      {phase === 'ended' && <VisitEnded onOtherKey={onOtherKey} />}
      <Suspense>
        {panelShown && (
          <PartBoundary name="The side panel">
            <SidePanel withCameras={acts && phone} />
          </PartBoundary>
        )}
        {phase === 'live' && acts && camerasOpen && !phone && (
          <PartBoundary name="The panel of cameras">
            <CamerasPanel onClose={() => ui.setState({ camerasOpen: false })} />
          </PartBoundary>
        )}
        {driving && (
          <PartBoundary name="The panel for driving">
            <ManualControlPanel />
          </PartBoundary>
        )}
      </Suspense>
      {phase === 'live' && <RunningBar />}
      <Announcer />
    </div>
  );
}
