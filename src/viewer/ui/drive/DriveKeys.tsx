import { useRobotWords } from '../common/robot-words.ts';

/** The keys that drive, in their keyboard positions. Pressed keys light up. */
export function DriveKeys({ down }: { down: ReadonlySet<string> }) {
  const { go } = useRobotWords();
  return (
    <div className="drive-keys" aria-hidden>
      {KEYS.map(({ code, also, cap, effect }) => (
        <span key={code} className="drive-key small muted" data-down={down.has(code) || (also !== undefined && down.has(also))}>
          <kbd>{cap}</kbd>
          <span>{effect ?? go}</span>
        </span>
      ))}
    </div>
  );
}

interface KeyCap {
  code: string;
  also?: string;
  cap: string;
  /** Null for the robot's own word for moving. */
  effect: string | null;
}

const KEYS: readonly KeyCap[] = [
  { code: 'KeyQ', also: 'ArrowLeft', cap: 'Q', effect: 'turn' },
  { code: 'KeyW', also: 'ArrowUp', cap: 'W', effect: null },
  { code: 'KeyE', also: 'ArrowRight', cap: 'E', effect: 'turn' },
  { code: 'KeyA', cap: 'A', effect: 'left' },
  { code: 'KeyS', also: 'ArrowDown', cap: 'S', effect: 'back' },
  { code: 'KeyD', cap: 'D', effect: 'right' },
];
