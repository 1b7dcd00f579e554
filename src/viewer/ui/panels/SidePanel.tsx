import { Tabs } from 'radix-ui';
import { type PanelTab, useUi, useUiStore } from '../common/ui-store.ts';
import { ActionsPanel } from './ActionsPanel.tsx';
import { CameraPictures } from './CameraPictures.tsx';
import { ScenePanel } from './ScenePanel.tsx';
import { StatePanel } from './StatePanel.tsx';

/** The drawer at the side; on a phone the sheet below, where the cameras have a tab too. */
export function SidePanel({ withCameras }: { withCameras: boolean }) {
  const ui = useUiStore();
  const tab = useUi((state) => state.tab);
  return (
    <Tabs.Root
      className="side-panel"
      value={tab === 'skills' || (tab === 'cameras' && !withCameras) ? 'actions' : tab}
      onValueChange={(value) => ui.setState({ tab: value as PanelTab })}
      asChild
    >
      <aside aria-label="Robot">
        <Tabs.List className="tabs" aria-label="What to see of the robot">
          <Tabs.Trigger className="tab" value="actions">
            Actions
          </Tabs.Trigger>
          <Tabs.Trigger className="tab" value="scene">
            Scene
          </Tabs.Trigger>
          <Tabs.Trigger className="tab" value="state">
            State
          </Tabs.Trigger>
          {withCameras && (
            <Tabs.Trigger className="tab" value="cameras">
              Cameras
            </Tabs.Trigger>
          )}
        </Tabs.List>
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
          </Tabs.Content>
        )}
      </aside>
    </Tabs.Root>
  );
}
