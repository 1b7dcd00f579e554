import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { type DriveIntent, NO_INTENT, outsideDeadZone } from './drive-core.ts';

/** The knob's distance from the centre at full deflection. */
const REACH_PX = 44;
const DEAD_ZONE = 0.14;

interface DriveStickProps {
  label: string;
  /** Words under the stick. */
  caption: string;
  /** Whether it only moves sideways. */
  level?: boolean;
  /** Returns the intent of a deflection: right and up in [-1, 1]. */
  intentOf: (right: number, up: number) => DriveIntent;
  onIntent: (intent: DriveIntent) => void;
}

const ARROWS: Record<string, readonly [right: number, up: number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** A stick for a thumb. It springs back when released, and accepts the arrow keys when it has the focus. */
export function DriveStick({ label, caption, level = false, intentOf, onIntent }: DriveStickProps) {
  const knob = useRef<HTMLSpanElement>(null);
  const pointerId = useRef<number | null>(null);
  const keys = useRef(new Set<string>());

  const deflect = (right: number, up: number) => {
    const length = Math.hypot(right, up);
    const scale = REACH_PX / Math.max(1, length);
    if (knob.current) knob.current.style.transform = `translate(${right * scale}px, ${-up * scale}px)`;
    const [x, y] = outsideDeadZone(right, up, DEAD_ZONE);
    onIntent(intentOf(x, y));
  };
  const letGo = () => {
    pointerId.current = null;
    keys.current.clear();
    if (knob.current) knob.current.style.transform = '';
    onIntent(NO_INTENT);
  };
  const latest = useRef(letGo);
  latest.current = letGo;
  useEffect(() => {
    const release = () => latest.current();
    window.addEventListener('blur', release);
    document.addEventListener('visibilitychange', release);
    return () => {
      window.removeEventListener('blur', release);
      document.removeEventListener('visibilitychange', release);
      release();
    };
  }, []);

  const follow = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.pointerId !== pointerId.current) return;
    const box = event.currentTarget.getBoundingClientRect();
    const right = (event.clientX - box.left - box.width / 2) / REACH_PX;
    const up = level ? 0 : (box.top + box.height / 2 - event.clientY) / REACH_PX;
    deflect(right, up);
  };
  const release = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.pointerId === pointerId.current) letGo();
  };
  const onKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === 'keydown' && event.repeat) return;
    if (event.type === 'keydown') keys.current.add(event.key);
    else keys.current.delete(event.key);
    let [right, up] = [0, 0];
    for (const key of keys.current) {
      const [x, y] = ARROWS[key] ?? [0, 0];
      right += x;
      up += level ? 0 : y;
    }
    deflect(right, up);
  };

  return (
    <div className="stick">
      <button
        type="button"
        className="stick-pad"
        data-level={level}
        data-stick
        aria-label={label}
        onPointerDown={(event) => {
          if (pointerId.current !== null) return;
          pointerId.current = event.pointerId;
          event.currentTarget.setPointerCapture(event.pointerId);
          follow(event);
        }}
        onPointerMove={follow}
        onPointerUp={release}
        onPointerCancel={release}
        onLostPointerCapture={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKey}
        onKeyUp={onKey}
        onBlur={() => pointerId.current === null && letGo()}
      >
        <span className="stick-knob" ref={knob} aria-hidden />
      </button>
      <span className="stick-caption" aria-hidden>
        {caption}
      </span>
    </div>
  );
}
