import { useRef } from 'react';
import { capitalise } from '../../../common/capitalise.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { DriveStick } from './DriveStick.tsx';
import type { DriveController } from './drive-controller.ts';
import { type DriveIntent, NO_INTENT } from './drive-core.ts';

/** Two sticks at the thumbs: the left one moves the robot, the right one turns. */
export function DriveSticks({ controller }: { controller: Pick<DriveController, 'hold'> }) {
  const go = capitalise(useRobotWords().go);
  const walking = useRef<DriveIntent>(NO_INTENT);
  const turning = useRef<DriveIntent>(NO_INTENT);
  const tell = () =>
    controller.hold('sticks', {
      forward: walking.current.forward,
      left: walking.current.left,
      turnLeft: turning.current.turnLeft,
    });
  return (
    <section className="sticks" aria-label="Sticks">
      <DriveStick
        label={`${go}: drag, or hold an arrow key`}
        caption={go}
        intentOf={(right, up) => ({ forward: up, left: -right || 0, turnLeft: 0 })}
        onIntent={(intent) => {
          walking.current = intent;
          tell();
        }}
      />
      <DriveStick
        label="Turn: drag to the side, or hold an arrow key"
        caption="Turn"
        level
        intentOf={(right) => ({ forward: 0, left: 0, turnLeft: -right || 0 })}
        onIntent={(intent) => {
          turning.current = intent;
          tell();
        }}
      />
    </section>
  );
}
