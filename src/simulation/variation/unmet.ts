/** The part of a variation that could not be met, by its path in the file: "place[2]". */
export class UnmetVariationError extends RangeError {
  override name = 'UnmetVariationError';
  readonly path: string;
  constructor(sceneId: string, seed: number, path: string) {
    super(`The scene ${sceneId} has no layout for the seed ${seed}: variation.${path} could not be met.`);
    this.path = path;
  }
}
