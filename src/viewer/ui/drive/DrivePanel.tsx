import { Gamepad2, TriangleAlert, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { useMediaQuery, usePhone } from '../common/hooks.ts';
import { withoutLeaseText } from '../common/lease.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { StopButton } from '../common/StopButton.tsx';
import { useUiStore } from '../common/ui-store.ts';
import { DriveGauges } from './DriveGauges.tsx';
import { DriveKeys } from './DriveKeys.tsx';
import { DriveSticks } from './DriveSticks.tsx';
import { createDriveController, type DriveController, LET_GO_TEXT } from './drive-controller.ts';
import { otherDriverText } from './drive-reply.ts';
import { useHeldBack } from './measured-speed.ts';
import { SpeedSlider } from './SpeedSlider.tsx';
import { useDriveKeys } from './use-drive-keys.ts';
import { useDrivePad } from './use-drive-pad.ts';
import { useRoomForHands, useRoomWatch } from './use-surroundings.ts';

/** The controls for driving: keys, gamepad or sticks, speed, and the stop that always works. */
export function DrivePanel() {
  const engine = useEngine();
  const ui = useUiStore();
  const [controller, setController] = useState<DriveController | null>(null);

  useEffect(() => {
    const made = createDriveController({
      engine,
      nowMs: () => performance.now(),
      epochMs: Date.now,
      newStroke: () => crypto.randomUUID().slice(0, 8),
      speedShare: ui.getState().driveSpeed,
    });
    setController(made);
    return () => made.dispose();
  }, [engine, ui]);

  return controller && <Controls key={engine.store.getState().robot?.id} controller={controller} />;
}

function Controls({ controller }: { controller: DriveController }) {
  const ui = useUiStore();
  const leave = useCallback(() => ui.setState({ driving: false }), [ui]);
  const down = useDriveKeys(controller, leave);
  const pad = useDrivePad(controller);
  const touch = useMediaQuery('(any-pointer: coarse)');
  const phone = usePhone();
  const { wanted, limits, speedShare, notice, blocked } = useStore(controller.view);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  useRoomWatch(() => controller.halt(`The connection to the room was lost, so the robot was stopped. ${LET_GO_TEXT}`));
  useRoomForHands(phone);
  const heldBack = useHeldBack(wanted);

  const setSpeed = (share: number) => {
    controller.setSpeed(share);
    ui.setState({ driveSpeed: share });
  };
  return (
    <>
      <section className="drive" aria-label="Driving by hand" ref={panel} tabIndex={-1} data-touch={touch}>
        {!touch && <DriveKeys down={down} />}
        <div className="drive-middle stack gap-1">
          <div className="row gap-3 spread">
            <SpeedSlider share={speedShare} fullMps={limits.linearMps} onShare={setSpeed} />
            <PadChip name={pad.name} unknownName={pad.unknownName} />
          </div>
          <DriveGauges wanted={wanted} />
          <DriveNotice
            notice={notice ?? (heldBack ? HELD_BACK_TEXTS : null)}
            urgent={blocked}
            hints={!touch}
            padName={pad.name}
          />
        </div>
        <div className="drive-ends">
          <StopButton onStop={() => controller.stop()} />
          <button
            type="button"
            className="button button-quiet"
            onClick={leave}
            aria-keyshortcuts="Escape"
            title="Ends driving (Escape)"
          >
            <X size={14} aria-hidden />
            End driving
          </button>
        </div>
      </section>
      {touch && <DriveSticks controller={controller} />}
    </>
  );
}

const HELD_BACK_TEXTS = 'The robot cannot move: something is in the way.';

/** The gamepad in use, or why a connected one is not used. */
export function PadChip({ name, unknownName }: { name: string | null; unknownName: string | null }) {
  if (!name && !unknownName) return null;
  const text = name ?? `${unknownName}: its buttons are not known to this browser`;
  return (
    <p className={name ? 'drive-pad row gap-1' : 'drive-pad row gap-1 text-warn'} title={text}>
      <Gamepad2 size={16} aria-hidden />
      <span>{text}</span>
    </p>
  );
}

interface DriveNoticeProps {
  notice: string | null;
  /** Whether the notice concerns the input held right now. Otherwise another driver of the robot is more important. */
  urgent: boolean;
  hints: boolean;
  padName: string | null;
}

/** One line: why the robot stands still, who else moves it, or what the gamepad does. */
function DriveNotice({ notice, urgent, hints, padName }: DriveNoticeProps) {
  const other = useViewer(otherDriverText);
  const leased = useViewer(withoutLeaseText);
  const text = leased ?? (urgent ? notice || other : other || notice);
  const { go } = useRobotWords();
  const hint = padName
    ? `Left stick ${go}s, right stick turns, the cross pad moves the head, B stops.`
    : hints
      ? 'Hold a key to drive. Shift goes slowly, Escape ends driving.'
      : `Left thumb ${go}s, right thumb turns. Let go and the robot stops.`;
  return (
    <p className="drive-notice row" role="status">
      {text ? (
        <>
          <TriangleAlert size={16} aria-hidden className="text-warn" />
          <span>{text}</span>
        </>
      ) : (
        <span className="muted">{hint}</span>
      )}
    </p>
  );
}
