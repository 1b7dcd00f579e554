import { X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useEngine } from '../common/engine-context.ts';
import { useMediaQuery, useTablet, useTabletAcross } from '../common/hooks.ts';
import { StopButton } from '../common/StopButton.tsx';
import { useUiStore } from '../common/ui-store.ts';
import { DriveSticks } from '../drive/DriveSticks.tsx';
import { useRoomForHands, useRoomWatch } from '../drive/use-surroundings.ts';
import { ArmControls } from './ArmControls.tsx';
import { CockpitNotice } from './CockpitNotice.tsx';
import { type Cockpit, createCockpit } from './cockpit-controller.ts';
import { DriveControls } from './DriveControls.tsx';
import { JointView } from './JointView.tsx';
import { LinkGauges } from './LinkGauges.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { OthersWarning } from './OthersWarning.tsx';
import { useCockpitKeys } from './use-cockpit-keys.ts';
import { useCockpitPad } from './use-cockpit-pad.ts';

/**
 * The cockpit of a robot of the `rcw` profile: manual control of legs or arms, the robot's response, and the stop that always
 * works.
 */
export function CockpitPanel() {
  const engine = useEngine();
  const ui = useUiStore();
  const [cockpit, setCockpit] = useState<Cockpit | null>(null);

  useEffect(() => {
    const made = createCockpit({
      engine,
      nowMs: () => performance.now(),
      epochMs: Date.now,
      newId: () => crypto.randomUUID().slice(0, 8),
      speedShare: ui.getState().driveSpeed,
      startTimer(beat, everyMs) {
        const timer = setInterval(beat, everyMs);
        return () => clearInterval(timer);
      },
    });
    setCockpit(made);
    return () => made.dispose();
  }, [engine, ui]);

  return cockpit && <Controls cockpit={cockpit} />;
}

function Controls({ cockpit }: { cockpit: Cockpit }) {
  const ui = useUiStore();
  const leave = useCallback(() => ui.setState({ driving: false }), [ui]);
  useCockpitKeys(cockpit, leave);
  const pad = useCockpitPad(cockpit);
  const touch = useMediaQuery('(any-pointer: coarse)');
  const tablet = useTablet();
  const across = useTabletAcross();
  const inArms = useStore(cockpit.view, ({ arms }) => arms !== 'off');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useRoomWatch(() => cockpit.halt('The connection to the room was lost, so the robot was stopped.'));
  useRoomForHands(tablet);
  useHeightKnown(panel);
  const sticks = touch && !inArms;
  const beside = inArms && across;
  useEffect(() => {
    if (!beside) return;
    ui.setState({ cardBeside: true });
    return () => ui.setState({ cardBeside: false });
  }, [beside, ui]);
  return (
    <>
      <section
        className="cockpit stack gap-3"
        aria-label="Cockpit"
        ref={panel}
        tabIndex={-1}
        data-sticks={sticks}
        data-arms={inArms}
        data-beside={beside}
      >
        <div className="cockpit-head row">
          <ModeSwitch cockpit={cockpit} />
          <LinkGauges cockpit={cockpit} />
          <button
            type="button"
            className="icon-button icon-button-small cockpit-close"
            onClick={leave}
            aria-label="Close the cockpit"
            title="Ends arm mode in its order, stops the robot and closes the cockpit (G)"
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        <div className="cockpit-body">
          <div className="cockpit-hands">
            {inArms ? <ArmControls cockpit={cockpit} pad={pad} /> : <DriveControls cockpit={cockpit} pad={pad} />}
          </div>
          {(inArms || !tablet) && <JointView cockpit={cockpit} />}
          <StopButton onStop={() => cockpit.stop()} />
        </div>
        <OthersWarning cockpit={cockpit} />
        <CockpitNotice cockpit={cockpit} padName={pad.name} touch={touch} />
      </section>
      {sticks && <DriveSticks controller={cockpit} />}
    </>
  );
}

/** Keeps elements at the lower edge of the world above the cockpit, however many lines it has. */
function useHeightKnown(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = panel.current;
    const page = element?.closest<HTMLElement>('.interface');
    if (!element || !page) return;
    const observer = new ResizeObserver(() => page.style.setProperty('--hands-height', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      page.style.removeProperty('--hands-height');
    };
  }, [panel]);
}
