/**
 * The masses and motors of an arm. There is no such robot to weigh, so the figures follow the arms of a published humanoid of
 * about this size and the same joints (MuJoCo Menagerie, `unitree_g1/g1.xml`: 0.64 + 0.71 kg between shoulder and elbow, 0.60 +
 * 0.51 kg from the elbow on, armature 0.01 kg m² in every joint; its makers give 25 N m for the motors of the arm and 5 N m for
 * small ones in the wrist), scaled to our lengths: 2.65 kg in all. The drive of the shoulder's pitch lies on its axis and is part
 * of the trunk.
 */
export interface ArmMass {
  /** The arm's joint, 0…4, whose link it is fixed to. */
  joint: number;
  massKg: number;
  /** Centre of mass below the link's joint, along the link. */
  belowJointM: number;
  /** About the centre of mass: along the link, and across it (every part counts as round). */
  alongKgm2: number;
  acrossKgm2: number;
}

/** A solid cylinder. */
const cylinder = (joint: number, massKg: number, radiusM: number, lengthM: number, belowJointM: number): ArmMass => ({
  joint,
  massKg,
  belowJointM,
  alongKgm2: (massKg * radiusM * radiusM) / 2,
  acrossKgm2: (massKg * (3 * radiusM * radiusM + lengthM * lengthM)) / 12,
});

/** Upper arm, forearm and hand, as wide and as long as they are drawn. */
export const ARM_MASSES: readonly ArmMass[] = [
  cylinder(2, 1.3, 0.038, 0.19, 0.115),
  cylinder(3, 0.9, 0.035, 0.19, 0.1),
  cylinder(4, 0.45, 0.03, 0.1, 0.05),
];

/** Top speed of any geared motor, whatever turns it: excess speed, from a blow against a light joint, is lost in its gears. */
export const GEAR_RPS = 18;

export interface ArmDrive {
  /** Armature of the rotor, behind its gear. */
  armatureKgm2: number;
  /** The most that the motor can exert. */
  torqueNm: number;
  /** The servo's speed when it is far off. */
  speedRps: number;
  /** Stiffness of the servo that follows a commanded angle. */
  stiffnessNmPerRad: number;
  dampingNmsPerRad: number;
  /** Damping of the limp motor: its windings short-circuited, as robots do in their damping mode. */
  limpNmsPerRad: number;
}

/**
 * Shoulder pitch, roll, yaw, elbow, wrist yaw. The servo damps the heaviest pose of the arm critically (2 √(stiffness · inertia), 0.26 kg m² about
 * the shoulder, 0.06 about upper arm and elbow, 0.01 about the wrist), so that no pose overshoots. Limp, an arm that falls swings through once and
 * hangs still after one to two seconds.
 */
export const ARM_DRIVES: readonly ArmDrive[] = [
  { armatureKgm2: 0.01, torqueNm: 25, speedRps: 9, stiffnessNmPerRad: 150, dampingNmsPerRad: 13, limpNmsPerRad: 1.8 },
  { armatureKgm2: 0.01, torqueNm: 25, speedRps: 9, stiffnessNmPerRad: 150, dampingNmsPerRad: 13, limpNmsPerRad: 1.6 },
  { armatureKgm2: 0.01, torqueNm: 25, speedRps: 9, stiffnessNmPerRad: 50, dampingNmsPerRad: 4, limpNmsPerRad: 0.25 },
  { armatureKgm2: 0.01, torqueNm: 25, speedRps: 9, stiffnessNmPerRad: 50, dampingNmsPerRad: 4, limpNmsPerRad: 0.4 },
  { armatureKgm2: 0.01, torqueNm: 5, speedRps: 9, stiffnessNmPerRad: 10, dampingNmsPerRad: 0.8, limpNmsPerRad: 0.05 },
];
