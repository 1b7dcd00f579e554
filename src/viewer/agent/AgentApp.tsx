import { Eye } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { PanelToggle } from '../ui/bar/PanelToggle.tsx';
import { useHeadHeight } from '../ui/bar/use-head-height.ts';
import { usePageTitle } from '../ui/bar/use-page-title.ts';
import { useViewer } from '../ui/common/engine-context.ts';
import { usePhone } from '../ui/common/hooks.ts';
import { PartBoundary } from '../ui/common/PartBoundary.tsx';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { WorldMain } from '../ui/lazy-parts.tsx';
import { FreshnessChip } from '../visitor/FreshnessChip.tsx';
import { seenTone } from '../visitor/visit-texts.ts';
import { AgentPanel } from './AgentPanel.tsx';
import { useAgent } from './agent-context.ts';
import { agentNotice } from './agent-texts.ts';

/** The page of an agent's robot that runs in a process of this machine: its world, and what the agent asked. It has no controls. */
export function AgentApp() {
  const phase = useViewer((state) => state.phase);
  const freshness = useViewer((state) => state.visit?.freshness ?? 'none');
  const notice = useViewer(agentNotice);
  const phone = usePhone();
  const panelOpen = useUi((state) => state.panelOpen);
  const head = useRef<HTMLElement>(null);
  useHeadHeight(head, phase);
  usePageTitle();
  return (
    <div
      className="interface visitor agent"
      data-phase={phase}
      data-panel={panelOpen ? 'open' : 'closed'}
      data-freshness={freshness}
      data-driving="false"
    >
      <WorldMain panelShown={panelOpen && !phone} />
      <header className="head" ref={head}>
        <PartBoundary name="The bar at the top">
          <AgentBar />
          <p className="visually-hidden" role="status">
            {notice ?? ''}
          </p>
          {notice !== null && (
            <div className="notice">
              <p>{notice}</p>
            </div>
          )}
        </PartBoundary>
      </header>
      <Suspense>
        {panelOpen && (
          <PartBoundary name="The side panel">
            <AgentPanel />
          </PartBoundary>
        )}
      </Suspense>
    </div>
  );
}

function AgentBar() {
  const ui = useUiStore();
  const panelOpen = useUi((state) => state.panelOpen);
  const isEnded = useAgent((seen) => seen.isEnded);
  const tone = useViewer((state) => seenTone(state.visit?.status ?? null));
  const state = useViewer(({ statusText }) => statusText);
  const text = isEnded ? 'Ended' : state || 'Loading';
  return (
    <div className="top-bar row">
      <h1 className="robot-name cut">Agent’s robot</h1>
      <p
        className="rcw-mark row-inline gap-1 muted"
        title="You are watching the robot of an agent on this machine. You cannot control it from here."
      >
        <Eye size={14} aria-hidden />
        <span>Watching</span>
      </p>
      <p className={`pill row tone-${isEnded ? 'quiet' : tone}`} data-testid="state" title={text}>
        <span className="pill-dot" aria-hidden />
        <span className="pill-words">{text}</span>
      </p>
      <span className="top-bar-space" />
      {!isEnded && <FreshnessChip />}
      <PanelToggle open={panelOpen} onOpen={(open) => ui.setState({ panelOpen: open })} />
    </div>
  );
}
