/** The scene files of the product, as they are: `tests/simulation/scene-files.test.ts` holds each against the schema. */
declare module '*.json' {
  const file: unknown;
  // biome-ignore lint/style/noDefaultExport: that is how a JSON file is imported.
  export default file;
}
