import { Suspense, useRef } from 'react';
import { Announcer } from './bar/Announcer.tsx';
import { ConnectionNotice } from './bar/ConnectionNotice.tsx';
import { EndedCard } from './bar/EndedCard.tsx';
import { LoadingCard } from './bar/LoadingCard.tsx';
import { RcwNotices } from './bar/RcwNotices.tsx';
import { RunningBar } from './bar/RunningBar.tsx';
import { TopBar } from './bar/TopBar.tsx';
import { useAddressNotice } from './bar/use-address-notice.ts';
import { useCancelsNotice } from './bar/use-cancels-notice.ts';
import { useFirstHint } from './bar/use-first-hint.ts';
import { useHeadHeight } from './bar/use-head-height.ts';
import { useKeptNotice, useLeaveQuestion } from './bar/use-kept-notice.ts';
import { usePageTitle } from './bar/use-page-title.ts';
import { useRestartNotice } from './bar/use-restart-notice.ts';
import { useStopKey } from './bar/use-stop-key.ts';
import { useSuspensionNotice } from './bar/use-suspension-notice.ts';
import { useViewer } from './common/engine-context.ts';
import { usePhone } from './common/hooks.ts';
import { PartBoundary } from './common/PartBoundary.tsx';
import { useUi, useUiStore } from './common/ui-store.ts';
import {
  CamerasPanel,
  DriverNotices,
  FileRefusals,
  ManualControlPanel,
  SidePanel,
  TaskNotices,
  WorldMain,
} from './lazy-parts.tsx';
import { useFileDrop } from './use-file-drop.ts';

/** Everything except the gate. The world fills the page; the rest floats over it and can be closed. */
export function App({ onOtherKey }: { onOtherKey: () => void }) {
  const phase = useViewer((state) => state.phase);
  const phone = usePhone();
  const ui = useUiStore();
  const camerasOpen = useUi((state) => state.camerasOpen);
  const panelOpen = useUi((state) => state.panelOpen);
  const driving = useUi((state) => state.driving) && phase === 'live';
  const head = useRef<HTMLElement>(null);
  const setCamerasOpen = (open: boolean) => ui.setState({ camerasOpen: open });
  useHeadHeight(head, phase);
  useStopKey();
  useAddressNotice();
  useFirstHint();
  useFileDrop();
  useSuspensionNotice();
  useCancelsNotice();
  useRestartNotice();
  useKeptNotice();
  useLeaveQuestion();
  usePageTitle();
  if (phase === 'gate') return null;
  const panelShown = phase !== 'loading' && panelOpen;
  return (
    <div className="interface" data-phase={phase} data-panel={panelShown ? 'open' : 'closed'} data-driving={driving}>
      <WorldMain panelShown={panelShown && !phone} />
      <header className="head" ref={head}>
        <PartBoundary name="The bar at the top">
          <TopBar
            camerasOpen={camerasOpen}
            panelOpen={panelOpen}
            onCamerasOpen={phone ? null : setCamerasOpen}
            onPanelOpen={(open) => ui.setState({ panelOpen: open })}
          />
          <ConnectionNotice />
          <RcwNotices />
          <DriverNotices />
          <TaskNotices />
        </PartBoundary>
      </header>
      {phase === 'loading' && <LoadingCard onOtherKey={onOtherKey} />}
      {phase === 'ended' && <EndedCard onOtherKey={onOtherKey} />}
      <Suspense>
        {phase === 'live' && camerasOpen && !phone && (
          <PartBoundary name="The panel of cameras">
            <CamerasPanel onClose={() => setCamerasOpen(false)} />
          </PartBoundary>
        )}
        {panelShown && (
          <PartBoundary name="The workbench">
            <SidePanel withCameras={phone && phase === 'live'} />
          </PartBoundary>
        )}
        {driving && (
          <PartBoundary name="The panel for driving">
            <ManualControlPanel />
          </PartBoundary>
        )}
      </Suspense>
      {phase === 'live' && <RunningBar />}
      <FileRefusals />
      <Announcer />
    </div>
  );
}
