/** How a surface takes light. The audience decides which material that is (look/materials.ts). */
export type Finish = 'shell' | 'frame' | 'visor' | 'glow' | 'status' | 'metal' | 'rubber' | 'board' | 'wood' | 'wall';

/** Tells whether a finish shines by itself. `status` is the robot's lights, which people see change. */
export const isGlowing = (finish: Finish): finish is 'glow' | 'status' => finish === 'glow' || finish === 'status';
