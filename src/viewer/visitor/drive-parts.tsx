import { lazy, Suspense, useState } from 'react';
import { useViewer } from '../ui/common/engine-context.ts';
import { leaseOf } from '../ui/common/lease.ts';

const VisitorDriver = lazy(() => import('./VisitorDriver.tsx').then((module) => ({ default: module.VisitorDriver })));
const DriveAloneChip = lazy(() => import('./VisitorDriver.tsx').then((module) => ({ default: module.DriveAlone })));

/** The driver of the robot; loaded when someone drives it for the first time. */
export function VisitorDrivers() {
  const driven = useViewer((state) => state.phase === 'live' && Boolean(leaseOf(state)));
  const [needed, setNeeded] = useState(false);
  if (driven && !needed) setNeeded(true);
  return needed ? (
    <Suspense>
      <VisitorDriver />
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
