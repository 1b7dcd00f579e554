import { ExternalLink, LoaderCircle, WifiOff } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { shownName } from '../../common/shown-text.ts';
import { Announcer } from '../ui/bar/Announcer.tsx';
import { ConnectionNotice } from '../ui/bar/ConnectionNotice.tsx';
import { EmergencyStop } from '../ui/bar/EmergencyStop.tsx';
import { RcwNotices } from '../ui/bar/RcwNotices.tsx';
import { useStopKey } from '../ui/bar/use-stop-key.ts';
import { useEngine, useViewer } from '../ui/common/engine-context.ts';
import { usePhone } from '../ui/common/hooks.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { somethingMoves, stateTone } from '../ui/common/motion.ts';
import { StopButton } from '../ui/common/StopButton.tsx';
import { useUi, useUiStore } from '../ui/common/ui-store.ts';
import { DriveSwitch } from '../ui/drive/DriveSwitch.tsx';
import { CamerasPanel, DriverNotices, ManualControlPanel, SidePanel, WorldMain } from '../ui/lazy-parts.tsx';
import { VisitorDrivers } from '../visitor/drive-parts.tsx';
import { FreshnessChip } from '../visitor/FreshnessChip.tsx';
import { VisitNotice } from '../visitor/VisitNotice.tsx';
import { frameStatus, isApart } from './frame-texts.ts';
import { type EmbedSettings, sideTabs } from './settings.ts';

/**
 * The page inside another page: the world, the robot's activity in one line, a stop button, and the panels named in its address.
 */
export function EmbedApp({ settings }: { settings: EmbedSettings }) {
  const phase = useViewer((state) => state.phase);
  const ui = useUiStore();
  const phone = usePhone();
  const camerasOpen = useUi((state) => state.camerasOpen);
  const panelOpen = useUi((state) => state.panelOpen);
  const driving = useUi((state) => state.driving) && phase === 'live';
  useStopKey();
  const live = phase === 'live';
  const acts = useViewer(mayAct);
  const freshness = useViewer((state) => state.visit?.freshness ?? null);
  const visits = freshness !== null;
  const tabs = sideTabs(settings, phone);
  // A page that only watches can read the list of objects and nothing else.
  const panelShown = live && panelOpen && (acts ? tabs.length > 0 : settings.panels.has('scene'));
  useEffect(() => {
    if (!acts) ui.setState({ panelTabs: ['scene'], tab: 'scene' });
  }, [acts, ui]);
  return (
    <div
      className={visits ? 'interface embed visitor' : 'interface embed'}
      data-freshness={freshness}
      data-phase={phase}
      data-panel={panelShown ? 'open' : 'closed'}
      data-driving={driving}
    >
      <WorldMain panelShown={panelShown && !phone} />
      <header className="embed-bar row">
        <EmbedPill />
        {visits && <FreshnessChip />}
        {acts && settings.panels.has('drive') && <DriveSwitch />}
        {live && !driving && <EmbedStop />}
        {acts && <EmergencyStop />}
      </header>
      <div className="embed-notices stack gap-1">
        <RcwNotices />
        {visits ? <VisitNotice /> : <ConnectionNotice />}
        {acts && settings.panels.has('drive') && (visits ? <VisitorDrivers /> : <DriverNotices />)}
      </div>
      <Suspense>
        {live && acts && camerasOpen && !phone && <CamerasPanel onClose={() => ui.setState({ camerasOpen: false })} />}
        {panelShown && <SidePanel withCameras={phone} />}
        {driving && <ManualControlPanel />}
      </Suspense>
      {phase === 'gate' && <Waiting tryHere={settings.tryHere} />}
      {phase === 'ended' && <Ended />}
      <Announcer />
    </div>
  );
}

/** The robot's name and activity, in one line. */
function EmbedPill() {
  const name = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'SimpleSim'));
  const tone = useViewer(stateTone);
  const apart = useViewer(({ connection }) => isApart(connection));
  const text = useViewer(frameStatus);
  const loading = useViewer((state) => state.phase === 'loading');
  return (
    <div className={`embed-pill row surface tone-${tone}`} data-testid="state" title={`${name}: ${text}`}>
      {apart ? (
        <WifiOff size={16} className="text-warn" role="img" aria-label="The room is out of reach; joining again" />
      ) : loading ? (
        <LoaderCircle size={16} className="spin" aria-hidden />
      ) : (
        <span className="pill-dot" aria-hidden />
      )}
      <h1 className="embed-name cut">{name}</h1>
      <p className="pill-words">{text}</p>
    </div>
  );
}

function EmbedStop() {
  const engine = useEngine();
  const moves = useViewer(somethingMoves);
  if (!moves) return null;
  return <StopButton className="embed-stop" onStop={() => engine.stop()} />;
}

function Waiting({ tryHere }: { tryHere: boolean }) {
  const problem = useViewer((state) => state.gateProblem);
  return (
    <section className="card embed-card" aria-labelledby="embed-waiting">
      <h2 id="embed-waiting" className="card-title">
        {tryHere ? 'The robot is starting' : 'This frame waits for its room key'}
      </h2>
      <p className="card-text" role={problem === null ? undefined : 'alert'}>
        {problem ??
          'The surrounding page provides the key. You cannot type a key into a frame: open the robot in a tab of its own instead.'}
      </p>
      {!tryHere && (
        <div className="card-actions">
          <a className="button" href="./" target="_blank" rel="noopener noreferrer">
            <ExternalLink size={14} aria-hidden />
            Open SimpleSim
          </a>
        </div>
      )}
    </section>
  );
}

function Ended() {
  const engine = useEngine();
  const connection = useViewer((state) => state.connection);
  if (connection.kind !== 'ended') return null;
  return (
    <section className="card embed-card" aria-labelledby="embed-ended">
      <h2 id="embed-ended" className="card-title">
        {connection.title}
      </h2>
      <p className="card-text" role="alert">
        {connection.message}
      </p>
      {connection.canRetry && (
        <div className="card-actions">
          <button type="button" className="button button-main" onClick={() => engine.retry()}>
            Try again
          </button>
        </div>
      )}
    </section>
  );
}
