import { lazy, Suspense, useState } from 'react';
import { useViewer } from '../ui/common/engine-context.ts';
import { leaseOf } from '../ui/common/lease.ts';

const SeatDriver = lazy(() => import('./SeatDriver.tsx').then((module) => ({ default: module.SeatDriver })));
const DriveAloneChip = lazy(() => import('./SeatDriver.tsx').then((module) => ({ default: module.DriveAlone })));

/** The driver of the robot; loaded when someone drives it for the first time. */
export function SeatDrivers() {
  const driven = useViewer((state) => state.phase === 'live' && Boolean(leaseOf(state)));
  const [needed, setNeeded] = useState(false);
  if (driven && !needed) setNeeded(true);
  return needed ? (
    <Suspense>
      <SeatDriver />
    </Suspense>
  ) : null;
}

/** Takes control of the robot for the operator; loaded in parallel with the page. */
export function DriveAlone() {
  return (
    <Suspense>
      <DriveAloneChip />
    </Suspense>
  );
}
