/** docs/reference/libraries.md: every public name of both client libraries, side by side. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from './markdown.ts';

/** One capability in both languages. The cells are Markdown, with each name in backticks. */
interface LibraryRow {
  task: string;
  typescript: string;
  python: string;
}

/** The rows of one part of the libraries. */
interface LibraryGroup {
  title: string;
  /** A sentence above the table. */
  note?: string;
  rows: readonly LibraryRow[];
}

/** Returns the rows. `clients/python/tests/test_both_libraries.py` compares their page with the interfaces of both libraries. */
function libraryGroups(): LibraryGroup[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'libraries-table.json'), 'utf8'));
}

const section = ({ title, note, rows }: LibraryGroup): string =>
  [
    `## ${title}`,
    ...(note === undefined ? [] : [note]),
    markdownTable(
      ['task', 'TypeScript', 'Python'],
      rows.map(({ task, typescript, python }) => [task, typescript, python]),
    ),
  ].join('\n\n');

/** Returns the text of the page. */
export function librariesPage(): string {
  return `${[
    '# Both client libraries, name by name',
    'Made by `npm run docs` from `scripts/docs/libraries-table.json`; do not edit by hand.',
    'This page lists every public name of `platform-robot-sdk` (TypeScript) and `platform_robot_sdk` (Python). [Libraries](../libraries.md) explains how to use them, and [typescript-api.txt](typescript-api.txt) has the declarations of TypeScript.',
    'Names follow the language (`robotId`, `robot_id`), and so do times: milliseconds in TypeScript (`timeoutMs`), seconds in Python (`timeout_s`). Fields of data have the names of the protocol in both.',
    ...libraryGroups().map(section),
  ].join('\n\n')}\n`;
}
