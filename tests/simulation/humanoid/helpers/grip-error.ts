import type { BodyState } from '../../../../src/simulation/humanoid/body.ts';
import { commandedGrip } from '../../../../src/simulation/humanoid/manipulator.ts';
import { PALM_HALF_THICKNESS_M } from '../../../../src/simulation/humanoid/posture.ts';

/**
 * Returns how far the worse palm is from its commanded place, metres; 0 while there is no grip. During the approach to a grip:
 * from that grip.
 */
export function gripErrorM(body: BodyState): number {
  if (body.manipulator.source !== 'grip') return 0;
  const { centre, yawRad, openingM } = commandedGrip(body);
  const halfM = openingM / 2 + PALM_HALF_THICKNESS_M;
  const missM = (side: 'right' | 'left', offsetM: number): number => {
    const [x, y, z] = body.palms[side].position;
    return Math.hypot(x - centre[0] + Math.sin(yawRad) * offsetM, y - centre[1] - Math.cos(yawRad) * offsetM, z - centre[2]);
  };
  return Math.max(missM('right', -halfM), missM('left', halfM));
}
