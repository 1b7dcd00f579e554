/** docs/reference/structure.md and its drawings: the rooms of `src/` and the folders of the viewer, made from the imports. */
import { essentialArrows, roomArrows, viewerArrows } from './import-arrows.ts';
import { structureDrawing } from './structure-drawing.ts';

/** Returns the page and its drawings, by their path from `docs/` on. */
export function structurePages(srcDir: string): Record<string, string> {
  const [rooms, folders] = [roomArrows(srcDir), viewerArrows(srcDir)];
  return {
    'pictures/structure-rooms.svg': structureDrawing('The rooms of src/ and their imports', essentialArrows(rooms)),
    'pictures/structure-viewer.svg': structureDrawing('The folders of the viewer and their imports', essentialArrows(folders)),
    'reference/structure.md': `${[
      '# Structure',
      'Made by `npm run docs` from the imports of `src/`; do not edit by hand. [architecture.md](../architecture.md) describes the purpose of each room.',
      'A part is above the parts that it imports. Arrows that follow from others are left out. `npm run imports` rejects an arrow that points up.',
      '## Rooms',
      '![The rooms of src/: launch and viewer at the top, protocol at the bottom](../pictures/structure-rooms.svg)',
      '## Folders of the viewer',
      'Their order is `VIEWER_FOLDERS` in [scripts/structure.ts](../../scripts/structure.ts).',
      '![The folders of the viewer: main.tsx at the top, engine at the bottom](../pictures/structure-viewer.svg)',
    ].join('\n\n')}\n`,
  };
}
