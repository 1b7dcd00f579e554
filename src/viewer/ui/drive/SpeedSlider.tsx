import { decimal } from '../common/format.ts';

interface SpeedSliderProps {
  /** Share of the full speed, 0…1. */
  share: number;
  /** The full speed, metres per second. */
  fullMps: number;
  onShare: (share: number) => void;
}

/** Sets the speed of a held key. */
export function SpeedSlider({ share, fullMps, onShare }: SpeedSliderProps) {
  const speed = decimal(share * fullMps, 2);
  return (
    <label className="drive-speed row gap-3 muted">
      <span>Speed</span>
      <input
        type="range"
        className="slider"
        min={10}
        max={100}
        step={5}
        value={Math.round(share * 100)}
        aria-valuetext={`up to ${speed} metres a second`}
        onChange={(event) => onShare(Number(event.currentTarget.value) / 100)}
      />
      <span className="drive-figure">{speed} m/s</span>
    </label>
  );
}
