import { Tabs } from 'radix-ui';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { mayAct } from '../common/may-act.ts';
import { type PanelTab, useUi, useUiStore } from '../common/ui-store.ts';
import { ConsolePanel } from '../console/ConsolePanel.tsx';
import { ConsoleProvider, consoleOf } from '../console/console-store.ts';
import { listSkills } from '../console/run-call.ts';
import { ActionsPanel } from './ActionsPanel.tsx';
import { CameraPictures } from './CameraPictures.tsx';
import { ScenePanel } from './ScenePanel.tsx';
import { StatePanel } from './StatePanel.tsx';
import { samplesOf } from './samples.ts';
import { TakePicture } from './TakePicture.tsx';

const TaskPanel = lazy(() => import('../tasks/TaskPanel.tsx').then((module) => ({ default: module.TaskPanel })));

const TABS: readonly (readonly [tab: PanelTab, label: string])[] = [
  ['task', 'Task'],
  ['skills', 'Skills'],
  ['actions', 'Actions'],
  ['scene', 'Scene'],
  ['state', 'State'],
  ['cameras', 'Cameras'],
];

/** The drawer at the side. On a phone it is the sheet below, which also has a tab for the cameras. */
export function SidePanel({ withCameras }: { withCameras: boolean }) {
  const engine = useEngine();
  const ui = useUiStore();
  const chosen = useUi((state) => state.tab);
  const only = useUi((state) => state.panelTabs);
  const hasTask = useViewer((state) => state.task !== null);
  const tabs = TABS.filter(
    ([value]) => (withCameras || value !== 'cameras') && (hasTask || value !== 'task') && (only === null || only.includes(value)),
  );
  useEffect(() => {
    if (hasTask) ui.setState({ tab: 'task' });
  }, [ui, hasTask]);
  const tab = tabs.some(([value]) => value === chosen) ? chosen : (tabs[0]?.[0] ?? 'skills');
  const store = consoleOf(engine);
  /** A page that only watches a robot cannot ask for its skills. A remote robot is asked when it connects or reconnects. */
  const asks = useViewer((state) => state.phase === 'live' && mayAct(state) && (state.visit === null || state.runtime !== null));
  const listed = useStore(store, (state) => state.listed);
  useEffect(() => {
    if (asks && !listed) void listSkills(engine, store);
  }, [engine, store, asks, listed]);
  // The charts show the last minute, including the time before they were opened.
  useEffect(() => void samplesOf(engine), [engine]);
  return (
    <ConsoleProvider value={store}>
      <Tabs.Root
        className="side-panel surface"
        value={tab}
        onValueChange={(value) => ui.setState({ tab: value as PanelTab })}
        asChild
      >
        <aside aria-label="Workbench">
          <Tabs.List className="tabs" aria-label="What to see and do">
            {tabs.map(([value, label]) => (
              <Tabs.Trigger key={value} className="tab" value={value}>
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {hasTask && (
            <Tabs.Content className="tab-content" value="task">
              <Suspense>
                <TaskPanel />
              </Suspense>
            </Tabs.Content>
          )}
          <Tabs.Content className="tab-content" value="skills">
            <ConsolePanel />
          </Tabs.Content>
          <Tabs.Content className="tab-content" value="actions">
            <ActionsPanel />
          </Tabs.Content>
          <Tabs.Content className="tab-content" value="scene">
            <ScenePanel />
          </Tabs.Content>
          <Tabs.Content className="tab-content" value="state">
            <StatePanel />
          </Tabs.Content>
          {withCameras && (
            <Tabs.Content className="tab-content" value="cameras">
              <CameraPictures />
              <TakePicture />
            </Tabs.Content>
          )}
        </aside>
      </Tabs.Root>
    </ConsoleProvider>
  );
}
