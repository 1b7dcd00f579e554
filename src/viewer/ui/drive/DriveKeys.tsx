/** The keys that drive, in their keyboard positions. Pressed keys light up. */
export function DriveKeys({ down }: { down: ReadonlySet<string> }) {
  return (
    <div className="drive-keys" aria-hidden>
      {KEYS.map(({ code, also, cap, deed }) => (
        <span key={code} className="drive-key" data-down={down.has(code) || (also !== undefined && down.has(also))}>
          <kbd>{cap}</kbd>
          <span>{deed}</span>
        </span>
      ))}
    </div>
  );
}

interface KeyCap {
  code: string;
  also?: string;
  cap: string;
  deed: string;
}

const KEYS: readonly KeyCap[] = [
  { code: 'KeyQ', also: 'ArrowLeft', cap: 'Q', deed: 'turn' },
  { code: 'KeyW', also: 'ArrowUp', cap: 'W', deed: 'walk' },
  { code: 'KeyE', also: 'ArrowRight', cap: 'E', deed: 'turn' },
  { code: 'KeyA', cap: 'A', deed: 'left' },
  { code: 'KeyS', also: 'ArrowDown', cap: 'S', deed: 'back' },
  { code: 'KeyD', cap: 'D', deed: 'right' },
];
