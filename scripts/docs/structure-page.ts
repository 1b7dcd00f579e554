/** docs/structure.md and its drawings: the rooms of `src/` and the folders of the viewer, made from the imports. */
import { allImports, fileCircles, VIEWER_FOLDERS } from '../structure.ts';
import { circlesOf, countArrows, essentialArrows, roomArrows, viewerArrows } from './import-arrows.ts';
import { structureDrawing } from './structure-drawing.ts';

/** Counts at commit 43a68d5, before the house was put in order. */
const BEFORE = { folders: 14, arrows: 40, folderCircles: 2, fileCircles: 11, largest: 13 };

/** Returns the page and its drawings, by their path from `docs/` on. */
export function structurePages(srcDir: string): Record<string, string> {
  const [rooms, folders, circles] = [roomArrows(srcDir), viewerArrows(srcDir), fileCircles(allImports(srcDir))];
  return {
    'pictures/structure-rooms.svg': structureDrawing('The rooms of src/ and their imports', essentialArrows(rooms)),
    'pictures/structure-viewer.svg': structureDrawing('The folders of the viewer and their imports', essentialArrows(folders)),
    'structure.md': `${[
      '# The structure, drawn',
      'Made by `npm run docs` from the imports of `src/`; do not edit by hand. [architecture.md](architecture.md) says what each room is for.',
      'What a part imports stands below it. An arrow that follows from others is left out. `npm run imports` refuses one that runs up.',
      '## Rooms',
      '![The rooms of src/: launch and viewer at the top, protocol at the bottom](pictures/structure-rooms.svg)',
      '## Folders of the viewer',
      'Their order is `VIEWER_FOLDERS` in [scripts/structure.ts](../scripts/structure.ts).',
      '![The folders of the viewer: main.tsx at the top, engine at the bottom](pictures/structure-viewer.svg)',
      '## Before and now',
      'The same drawing of the viewer at commit 43a68d5, when no check knew its folders; red: two folders that import each other.',
      '![The folders of the viewer before: two red circles](pictures/structure-viewer-before.svg)',
      [
        '| | at 43a68d5 | now | how to count |',
        '|---|---|---|---|',
        `| folders of the viewer that a check knows | 0 of ${BEFORE.folders} | ${VIEWER_FOLDERS.length} of ${VIEWER_FOLDERS.length} | \`npm run imports\` |`,
        `| arrows between folders of the viewer, and circles among them | ${BEFORE.arrows}, ${BEFORE.folderCircles} | ${countArrows(folders)}, ${circlesOf(folders).length} | this page |`,
        `| circles of files, types included | ${BEFORE.fileCircles}; the largest of ${BEFORE.largest} files | ${circles.length} | \`npm run imports\` |`,
        '| circles of files by value | 2 | 0 | `npm run lint` (`noImportCycles`) |',
        ...COUNTED,
      ].join('\n'),
      AFTERWORD,
    ].join('\n\n')}\n`,
  };
}

const COUNTED = [
  '| files for a camera | 5, and a trap | 1 | the entry in `cameras` of a scene |',
  '| files for a scene | 27 | 3 lines in registries, 2 folders | `git show --stat 5ecb10d` |',
  '| files for a robot | 46 and more | 1 file, 2 folders, 4 lines in registries | `git show --stat 7d9da76` |',
  "| places that ask `profile === 'worker'` | 22 | 1, which chooses | `git grep \"=== 'worker'\" src` |",
  '| comments that begin with What, Who, Whoever, Whatever or Whose | 473, of them 381 in `src` | 0 | `git grep -nE "^\\s*(//\\|/?\\*\\*?\\|#\\|\\"+) ?(What\\|Who\\|Whoever\\|Whatever\\|Whose) " src tests scripts bench clients` |',
  '| lines of `src` that stand twice (TypeScript and CSS) | 27 | 33 | `npx jscpd@4 --min-tokens 60 --format typescript,tsx,css src` |',
  '| subjects of commits: median length, longest | 85, 202 | 56, 72 | `git log --format=%s` |',
];

const AFTERWORD =
  'Lines that stand twice are four places in a house a third larger: two boundaries for faults of drawing, the first gate of a call in both contracts, a list of skills as it is sent and as clients read it, two readings of a number on the command line.';
