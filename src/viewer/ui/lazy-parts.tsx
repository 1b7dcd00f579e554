import { lazy, Suspense } from 'react';
import { WorldKeeper } from './world/WorldKeeper.tsx';

const WorldView = lazy(() => import('./world/WorldView.tsx').then((module) => ({ default: module.WorldView })));

export const SidePanel = lazy(() => import('./panels/SidePanel.tsx').then((module) => ({ default: module.SidePanel })));
export const DrivePanel = lazy(() => import('./drive/DrivePanel.tsx').then((module) => ({ default: module.DrivePanel })));
export const CamerasPanel = lazy(() => import('./panels/CamerasPanel.tsx').then((module) => ({ default: module.CamerasPanel })));

/** The world with whatever keeps it drawn. @param panelShown does a panel cover its right side? */
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
