/** How a surface takes light. The audience decides which material that is (look/materials.ts). */
export type Finish = 'shell' | 'frame' | 'visor' | 'glow' | 'status' | 'metal' | 'rubber' | 'board' | 'wood' | 'wall';

/** Returns whether a finish emits light. `status` is the finish of the robot's lights, whose changes people see. */
export const isGlowing = (finish: Finish): finish is 'glow' | 'status' => finish === 'glow' || finish === 'status';
