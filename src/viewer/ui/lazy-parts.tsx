import { lazy, Suspense } from 'react';
import { useContract } from './common/contract.ts';
import { WorldKeeper } from './world/WorldKeeper.tsx';

const WorldView = lazy(() => import('./world/WorldView.tsx').then((module) => ({ default: module.WorldView })));

export const SidePanel = lazy(() => import('./panels/SidePanel.tsx').then((module) => ({ default: module.SidePanel })));
const DrivePanel = lazy(() => import('./drive/DrivePanel.tsx').then((module) => ({ default: module.DrivePanel })));
const CockpitPanel = lazy(() => import('./cockpit/CockpitPanel.tsx').then((module) => ({ default: module.CockpitPanel })));
export const CamerasPanel = lazy(() => import('./panels/CamerasPanel.tsx').then((module) => ({ default: module.CamerasPanel })));

/** Manual control: the cockpit of the `rcw` profile, which drives by other rules, or the controls of a simulator. */
export function ManualControlPanel() {
  return useContract().controls === 'cockpit' ? <CockpitPanel /> : <DrivePanel />;
}

/** The world, with the parts that keep it drawn. @param panelShown whether a panel covers its right side */
export function WorldMain({ panelShown }: { panelShown: boolean }) {
  return (
    <main aria-label="World">
      <WorldKeeper>
        <Suspense>
          <WorldView panelShown={panelShown} />
        </Suspense>
      </WorldKeeper>
    </main>
  );
}
