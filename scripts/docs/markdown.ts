/** Parts of Markdown that the generated pages share. */

/** Returns a name as code. */
export const code = (name: string): string => `\`${name}\``;

/** Returns a table. A `|` in a cell is escaped, and a line break becomes a space. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(rowOf)].join('\n');

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
const cellOf = (text: string): string => text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');

/**
 * Requires a description for every name of the code, and a name for every description.
 * @param where the table with the descriptions, for the message
 * @throws Error that names what is missing
 */
export function requireDescriptions(where: string, described: readonly string[], existing: readonly string[]): void {
  const wrong = [
    ...existing.filter((name) => !described.includes(name)).map((name) => `${name} has no description`),
    ...described.filter((name) => !existing.includes(name)).map((name) => `${name} does not exist`),
  ];
  if (wrong.length > 0) throw new Error(`${where}: ${wrong.join(', ')}.`);
}
