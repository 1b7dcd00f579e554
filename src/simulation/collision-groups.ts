/**
 * The groups that decide which colliders touch. A Rapier interaction group holds its memberships in the upper 16 bits and its
 * filter in the lower 16; two colliders touch when each is in the other's filter.
 */
const FLOOR = 1 << 0;
const STATIC = 1 << 1;
const BELT_STILL = 1 << 2;
const BELT_MOVING = 1 << 3;
const THING = 1 << 4;
const HELD_THING = 1 << 5;
const BASE = 1 << 6;
const PALM = 1 << 7;
/** The infeed hood as the robot meets it (a full box) and as things meet it (a shell that they come out of). */
const HOOD_BOX = 1 << 8;
const HOOD_SHELL = 1 << 9;

const group = (memberships: number, filter: number): number => ((memberships << 16) | filter) >>> 0;
const THINGS = THING | HELD_THING;

export const FLOOR_GROUP = group(FLOOR, THINGS);
export const STATIC_GROUP = group(STATIC, THINGS | BASE);
export const BELT_STILL_GROUP = group(BELT_STILL, THINGS | BASE);
export const BELT_MOVING_GROUP = group(BELT_MOVING, THING);
export const HOOD_BOX_GROUP = group(HOOD_BOX, BASE);
export const HOOD_SHELL_GROUP = group(HOOD_SHELL, THINGS);
/** The base rolls on no floor: its height is locked. It does not meet the held thing. */
export const BASE_GROUP = group(BASE, STATIC | BELT_STILL | HOOD_BOX | THING);
export const PALM_GROUP = group(PALM, THING);

const THING_FILTER = FLOOR | STATIC | HOOD_SHELL | THINGS | BASE | PALM;
export const FREE_THING_GROUP = group(THING, THING_FILTER | BELT_STILL);
/** A thing that the row carries on meets the moving rubber instead of the still one. */
export const CONVEYED_THING_GROUP = group(THING, THING_FILTER | BELT_MOVING);
/** A held thing is joined to the hand; its contacts with palms and base are off, those with the scene are not. */
export const HELD_THING_GROUP = group(HELD_THING, FLOOR | STATIC | BELT_STILL | HOOD_SHELL | THING);
