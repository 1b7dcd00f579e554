import { capitalise } from '../../../common/capitalise.ts';
import { radToDeg } from '../../../protocol/wire/geometry.ts';
import { decimal } from '../common/format.ts';
import { useRobotWords } from '../common/robot-words.ts';
import type { DriveVelocity } from './drive-core.ts';
import { useMeasuredSpeed } from './measured-speed.ts';

/** The requested speed beside the measured one; a dash while that is unknown. */
export function DriveGauges({ wanted }: { wanted: DriveVelocity }) {
  const { going } = useRobotWords();
  const speed = useMeasuredSpeed();
  return (
    <dl className="drive-gauges">
      <Gauge
        name={capitalise(going)}
        unit="m/s"
        asked={Math.hypot(wanted.vx, wanted.vy)}
        measured={speed?.linearMps ?? null}
        digits={2}
      />
      <Gauge
        name="Turning"
        unit="°/s"
        asked={Math.abs(radToDeg(wanted.wz))}
        measured={speed && radToDeg(speed.angularRps)}
        digits={0}
      />
    </dl>
  );
}

interface GaugeProps {
  name: string;
  unit: string;
  asked: number;
  /** Null while the robot reports no state. */
  measured: number | null;
  digits: number;
}

function Gauge({ name, unit, asked, measured, digits }: GaugeProps) {
  return (
    <div className="drive-gauge">
      <dt>{name}</dt>
      <dd>
        <span className="drive-measured" data-testid={`measured-${name.toLowerCase()}`}>
          {measured === null ? '–' : decimal(measured, digits)}
        </span>{' '}
        {unit}
      </dd>
      <dd className="drive-asked muted">asked {decimal(asked, digits)}</dd>
    </div>
  );
}
