import { lazy, Suspense, useState } from 'react';
import { startsAllAtOnce } from '../engine/cores.ts';
import { useContract } from './common/contract.ts';
import { useViewer } from './common/engine-context.ts';
import { CoarsePicture } from './world/coarse/CoarsePicture.tsx';
import { PANEL_COVERS_PX } from './world/picture/eye.ts';
import { WorldKeeper } from './world/WorldKeeper.tsx';

const WorldView = lazy(() => import('./world/WorldView.tsx').then((module) => ({ default: module.WorldView })));

export const SidePanel = lazy(() => import('./panels/SidePanel.tsx').then((module) => ({ default: module.SidePanel })));
const DrivePanel = lazy(() => import('./drive/DrivePanel.tsx').then((module) => ({ default: module.DrivePanel })));
const CockpitPanel = lazy(() => import('./cockpit/CockpitPanel.tsx').then((module) => ({ default: module.CockpitPanel })));
export const CamerasPanel = lazy(() => import('./panels/CamerasPanel.tsx').then((module) => ({ default: module.CamerasPanel })));

const DriverNotice = lazy(() => import('./bar/DriverNotice.tsx').then((module) => ({ default: module.DriverNotice })));

/** The driver of the robot; loaded when someone drives it for the first time. */
export function DriverNotices() {
  const driven = useViewer(({ phase, runtime }) => phase === 'live' && Boolean(runtime?.robot.extra.driver));
  const [needed, setNeeded] = useState(false);
  if (driven && !needed) setNeeded(true);
  return needed ? (
    <Suspense>
      <DriverNotice />
    </Suspense>
  ) : null;
}

const TaskNotice = lazy(() => import('./tasks/TaskNotice.tsx').then((module) => ({ default: module.TaskNotice })));

/** The result of a task; loaded with the first task. */
export function TaskNotices() {
  const hasTask = useViewer(({ task }) => task !== null);
  return hasTask ? (
    <Suspense>
      <TaskNotice />
    </Suspense>
  ) : null;
}

const FileRefusal = lazy(() => import('./FileRefusal.tsx').then((module) => ({ default: module.FileRefusal })));

/** The problems of a rejected file; loaded with the first rejection. */
export function FileRefusals() {
  const isRefused = useViewer(({ fileRefusal }) => fileRefusal !== null);
  return isRefused ? (
    <Suspense>
      <FileRefusal />
    </Suspense>
  ) : null;
}

/** Manual control: the cockpit of the `rcw` profile, which drives by different rules, or the controls of a simulator. */
export function ManualControlPanel() {
  return useContract().controls === 'cockpit' ? <CockpitPanel /> : <DrivePanel />;
}

/**
 * The world, with the parts that keep it drawn. On a small machine, detecting how the browser draws blocks the page for a quarter
 * of a second, so it is done there only when the robot can act. @param panelShown whether a panel covers its right side
 */
export function WorldMain({ panelShown }: { panelShown: boolean }) {
  const isLoading = useViewer(({ phase }) => phase === 'loading');
  const [wanted, setWanted] = useState(startsAllAtOnce);
  if (!isLoading && !wanted) setWanted(true);
  return (
    <main aria-label="World">
      <CoarsePicture coveredRightPx={panelShown ? PANEL_COVERS_PX : 0} />
      <WorldKeeper>
        <Suspense>{wanted && <WorldView panelShown={panelShown} />}</Suspense>
      </WorldKeeper>
    </main>
  );
}
