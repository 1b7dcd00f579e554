import { servePicture } from './picture/serve-picture.ts';
import { serveCameras } from './serve-cameras.ts';

/**
 * Draws off the page. The worker's name selects its task: `cameras` draws the robot's cameras, `picture` draws what a person sees
 * with software rendering. Both tasks share one file, because both need nearly all of it.
 */
const scope = globalThis as unknown as { name: string } & Parameters<typeof serveCameras>[0] & Parameters<typeof servePicture>[0];

if (scope.name === 'picture') servePicture(scope);
else serveCameras(scope);
