import { servePicture } from './picture/serve-picture.ts';
import { serveCameras } from './serve-cameras.ts';

/**
 * Draws off the page, in one of two offices by the name it was started with: `cameras`, the robot's, or `picture`, what a person sees
 * where the processor draws. One file, for nearly all of it is what both need.
 */
const scope = globalThis as unknown as { name: string } & Parameters<typeof serveCameras>[0] & Parameters<typeof servePicture>[0];

if (scope.name === 'picture') servePicture(scope);
else serveCameras(scope);
