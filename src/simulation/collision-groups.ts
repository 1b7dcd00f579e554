/**
 * The groups that decide which colliders touch. A Rapier interaction group holds its memberships in the upper 16 bits and its
 * filter in the lower 16; two colliders touch when each is in the other's filter.
 */
const FLOOR = 1 << 0;
const STATIC = 1 << 1;
const BELT_STILL = 1 << 2;
const BELT_MOVING = 1 << 3;
const CUBE = 1 << 4;
const HELD_CUBE = 1 << 5;
const BASE = 1 << 6;
const PALM = 1 << 7;
/** The infeed hood as the robot meets it (a full box) and as cubes meet it (a shell that they come out of). */
const HOOD_BOX = 1 << 8;
const HOOD_SHELL = 1 << 9;

const group = (memberships: number, filter: number): number => ((memberships << 16) | filter) >>> 0;
const CUBES = CUBE | HELD_CUBE;

export const FLOOR_GROUP = group(FLOOR, CUBES);
export const STATIC_GROUP = group(STATIC, CUBES | BASE);
export const BELT_STILL_GROUP = group(BELT_STILL, CUBES | BASE);
export const BELT_MOVING_GROUP = group(BELT_MOVING, CUBE);
export const HOOD_BOX_GROUP = group(HOOD_BOX, BASE);
export const HOOD_SHELL_GROUP = group(HOOD_SHELL, CUBES);
/** The base rolls on no floor: its height is locked. It does not meet the held thing. */
export const BASE_GROUP = group(BASE, STATIC | BELT_STILL | HOOD_BOX | CUBE);
export const PALM_GROUP = group(PALM, CUBE);

const CUBE_FILTER = FLOOR | STATIC | HOOD_SHELL | CUBES | BASE | PALM;
export const FREE_CUBE_GROUP = group(CUBE, CUBE_FILTER | BELT_STILL);
/** A cube that the row carries on meets the moving rubber instead of the still one. */
export const CONVEYED_CUBE_GROUP = group(CUBE, CUBE_FILTER | BELT_MOVING);
/** A held cube is joined to the hand; its contacts with palms and base are off, those with the scene are not. */
export const HELD_CUBE_GROUP = group(HELD_CUBE, FLOOR | STATIC | BELT_STILL | HOOD_SHELL | CUBE);
