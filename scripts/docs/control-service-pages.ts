import { LIBRARY_FACE, PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { describeFace } from '../../src/control-service/openapi.ts';

/** Returns the OpenAPI descriptions of both faces, by the name of their file in `docs/reference`. */
export function controlServicePages(): Record<string, string> {
  return Object.fromEntries(
    [PUBLIC_FACE, LIBRARY_FACE].map((face) => [`openapi.${face.name}.json`, `${JSON.stringify(describeFace(face), null, 2)}\n`]),
  );
}
