import { Check, CircleHelp, Ellipsis, ListChecks, LogOut, ShipWheel, Smartphone } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shownName } from '../../../common/shown-text.ts';
import { useBelowBar } from '../common/below-bar.ts';
import { pageContractOf } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { factor } from '../common/format.ts';
import { stateTone } from '../common/motion.ts';
import { DriveSwitch } from '../drive/DriveSwitch.tsx';
import { ConnectionChip } from './ConnectionChip.tsx';
import { ContractMark } from './ContractMark.tsx';
import { EmergencyStop } from './EmergencyStop.tsx';
import { PanelToggle } from './PanelToggle.tsx';
import { PeopleButton } from './PeopleButton.tsx';

const PhoneDialog = lazy(() => import('../phone/PhoneDialog.tsx').then((module) => ({ default: module.PhoneDialog })));

const TasksDialog = lazy(() => import('../tasks/TasksDialog.tsx').then((module) => ({ default: module.TasksDialog })));

const HelpDialog = lazy(() => import('../help/HelpDialog.tsx').then((module) => ({ default: module.HelpDialog })));

/** Smallest difference of the factor that is shown to a person. */
const FACTOR_WORTH_SAYING = 0.03;

interface TopBarProps {
  camerasOpen: boolean;
  panelOpen: boolean;
  /** Null if the panel contains the cameras. */
  onCamerasOpen: ((open: boolean) => void) | null;
  onPanelOpen: (open: boolean) => void;
}

/** One line: the robot's name, its activity, the people, and the connection. */
export function TopBar({ camerasOpen, panelOpen, onCamerasOpen, onPanelOpen }: TopBarProps) {
  const robotName = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'Robot'));
  const ended = useViewer((state) => state.phase === 'ended');
  const inRoom = useViewer((state) => state.phase === 'live' && !state.local);
  const [phoneOpen, setPhoneOpen] = useState(false);
  const mayHaveTask = useViewer((state) => state.phase === 'live' && state.local && pageContractOf(state).hasTasks);
  const [tasksOpen, setTasksOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  // The menu opens within the banner; at the end of the body it would be outside every landmark.
  const [menuHost, setMenuHost] = useState<HTMLElement | null>(null);
  const { button, sideOffset, onOpenChange } = useBelowBar();
  return (
    <>
      <div className="top-bar row">
        <h1 className="robot-name cut" title={robotName}>
          {robotName}
        </h1>
        <ContractMark />
        <StatePill />
        <EmergencyStop />
        <span className="top-bar-space" />
        <FactorChip />
        <DriveSwitch />
        <PeopleButton />
        <ConnectionChip />
        <DropdownMenu.Root modal={false} onOpenChange={onOpenChange}>
          <DropdownMenu.Trigger ref={button} className="icon-button" aria-label="Menu">
            <Ellipsis size={18} aria-hidden />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal container={menuHost}>
            <DropdownMenu.Content className="menu" align="end" sideOffset={sideOffset} collisionPadding={8}>
              {onCamerasOpen && <MenuSwitch label="Robot’s cameras" checked={camerasOpen} onChange={onCamerasOpen} />}
              <MenuSwitch label="Side panel" checked={panelOpen} onChange={onPanelOpen} />
              <DropdownMenu.Separator className="menu-line" />
              {inRoom && (
                <DropdownMenu.Item className="menu-item" onSelect={() => setPhoneOpen(true)}>
                  <span className="menu-mark">
                    <Smartphone size={14} aria-hidden />
                  </span>
                  Open on a phone
                </DropdownMenu.Item>
              )}
              {mayHaveTask && (
                <DropdownMenu.Item className="menu-item" onSelect={() => setTasksOpen(true)}>
                  <span className="menu-mark">
                    <ListChecks size={14} aria-hidden />
                  </span>
                  Tasks
                </DropdownMenu.Item>
              )}
              <DropdownMenu.Item className="menu-item" onSelect={() => setHelpOpen(true)}>
                <span className="menu-mark">
                  <CircleHelp size={14} aria-hidden />
                </span>
                Help
              </DropdownMenu.Item>
              {inRoom && <DriveAloneItem />}
              {!ended && <LeaveItem />}
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
        <PanelToggle open={panelOpen} onOpen={onPanelOpen} />
        <Suspense>{tasksOpen && <TasksDialog onClose={() => setTasksOpen(false)} />}</Suspense>
        <Suspense>{helpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}</Suspense>
        <Suspense>{phoneOpen && inRoom && <PhoneDialog onClose={() => setPhoneOpen(false)} />}</Suspense>
      </div>
      <div ref={setMenuHost} />
    </>
  );
}

function StatePill() {
  const tone = useViewer(stateTone);
  const text = useViewer(({ phase, statusText }) =>
    phase === 'loading' ? 'Loading' : phase === 'ended' ? 'Not in the room' : statusText || 'Ready',
  );
  return (
    <p className={`pill row tone-${tone}`} data-testid="state" title={text}>
      <span className="pill-dot" aria-hidden />
      <span className="pill-words">{text}</span>
    </p>
  );
}

function FactorChip() {
  const { live, realTimeFactor } = useViewer(
    useShallow((state) => ({ live: state.phase === 'live', realTimeFactor: Number(state.realTimeFactor.toFixed(2)) })),
  );
  if (!live || Math.abs(realTimeFactor - 1) < FACTOR_WORTH_SAYING) return null;
  return (
    <p className="chip chip-warn" title="Simulated seconds per real second">
      {factor(realTimeFactor)} <span className="wide-only">real time</span>
    </p>
  );
}

function MenuSwitch({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={checked} onCheckedChange={onChange}>
      <span className="menu-mark">
        <DropdownMenu.ItemIndicator asChild>
          <Check size={14} aria-hidden />
        </DropdownMenu.ItemIndicator>
      </span>
      {label}
    </DropdownMenu.CheckboxItem>
  );
}

/** Takes control of the robot for the person at the page, while no one drives it. */
function DriveAloneItem() {
  const engine = useEngine();
  const free = useViewer(({ runtime }) => runtime?.robot.extra.driver === null);
  if (!free) return null;
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => void engine.call('runtime.control', { action: 'take' })}>
      <span className="menu-mark">
        <ShipWheel size={14} aria-hidden />
      </span>
      Drive alone
    </DropdownMenu.Item>
  );
}

function LeaveItem() {
  const engine = useEngine();
  const local = useViewer((state) => state.local);
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => engine.disconnect()}>
      <span className="menu-mark">
        <LogOut size={14} aria-hidden />
      </span>
      {local ? 'Back to the start' : 'Leave the room'}
    </DropdownMenu.Item>
  );
}
