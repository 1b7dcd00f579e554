import { FileUp } from 'lucide-react';
import { Suspense, useRef } from 'react';
import type { ReplayEngine } from '../engine/replay/replay-engine.ts';
import { PanelToggle } from '../ui/bar/PanelToggle.tsx';
import { useHeadHeight } from '../ui/bar/use-head-height.ts';
import { useViewer } from '../ui/common/engine-context.ts';
import { usePhone } from '../ui/common/hooks.ts';
import { PartBoundary } from '../ui/common/PartBoundary.tsx';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { WorldMain } from '../ui/lazy-parts.tsx';
import { PlayBar } from './PlayBar.tsx';
import { ProofEntry } from './ProofEntry.tsx';
import { openProofFile } from './proof-intake.ts';
import { RunPanel } from './RunPanel.tsx';
import { ReplayProvider, useReplay, useReplayEngine } from './replay-context.ts';
import { judgedText } from './replay-texts.ts';

/** The page on which anyone checks the proof of a run and replays it. */
export const ReplayApp = ({ engine }: { engine: ReplayEngine }) => (
  <ReplayProvider value={engine}>
    <ReplayPage />
  </ReplayProvider>
);

function ReplayPage() {
  const phase = useViewer((state) => state.phase);
  const phone = usePhone();
  const ui = useUiStore();
  const panelOpen = useUi((state) => state.panelOpen);
  const head = useRef<HTMLElement>(null);
  useHeadHeight(head, phase);
  if (phase !== 'live') return <ProofEntry />;
  return (
    <div className="interface replay" data-phase={phase} data-panel={panelOpen ? 'open' : 'closed'}>
      <WorldMain panelShown={panelOpen && !phone} />
      <header className="head" ref={head}>
        <div className="top-bar row">
          <h1 className="robot-name cut">Replay</h1>
          <JudgedPill />
          <span className="top-bar-space" />
          <OtherFile />
          <PanelToggle open={panelOpen} onOpen={(open) => ui.setState({ panelOpen: open })} />
        </div>
      </header>
      <Suspense>
        {panelOpen && (
          <PartBoundary name="The side panel">
            <RunPanel />
          </PartBoundary>
        )}
      </Suspense>
      <PlayBar />
    </div>
  );
}

const TONES = { wait: 'active', good: 'good', bad: 'bad', warn: 'warn' } as const;

/** The result of the check, in a word or two. */
function JudgedPill() {
  const title = useReplay((state) => judgedText(state).title);
  const tone = useReplay((state) => judgedText(state).tone);
  return (
    <p className={`pill row tone-${TONES[tone]}`} data-testid="judged" role="status">
      <span className="pill-dot" aria-hidden />
      <span className="pill-words">{title}</span>
    </p>
  );
}

function OtherFile() {
  const engine = useReplayEngine();
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="chip chip-button" onClick={() => file.current?.click()}>
        <FileUp size={18} aria-hidden />
        <span className="wide-only">Another proof</span>
      </button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Another proof"
        onChange={({ target }) => {
          const chosen = target.files?.item(0);
          target.value = '';
          if (chosen) void openProofFile(engine, chosen);
        }}
      />
    </>
  );
}
