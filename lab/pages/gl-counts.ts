/** The calls to WebGL. */
export interface GlTotal {
  drawCalls: number;
  triangles: number;
  /** Bytes into buffers and textures. */
  uploadedBytes: number;
  /** Uniforms, in numbers. */
  uniformBytes: number;
}

export interface GlCounts {
  clear(): void;
  total(): GlTotal;
}

type Method = (...args: never[]) => unknown;
const BYTES_PER_NUMBER = 4;
/** Returns the bytes of an upload: the size of its typed array, and 0 for any other source. */
const sizeOf = (source: unknown): number => (ArrayBuffer.isView(source) ? source.byteLength : 0);

/**
 * Starts to count the WebGL calls of this thread. Draw calls are counted but not carried out, because a card's work cannot be
 * counted.
 */
export function watchGl(): GlCounts {
  const total: GlTotal = { drawCalls: 0, triangles: 0, uploadedBytes: 0, uniformBytes: 0 };
  const { prototype } = WebGL2RenderingContext;
  const watch = (name: string, count: (args: readonly unknown[]) => void, carriedOut = true): void => {
    const original = (prototype as unknown as Record<string, Method | undefined>)[name];
    if (!original) throw new Error(`WebGL has no ${name}.`);
    Object.defineProperty(prototype, name, {
      value(...args: never[]) {
        count(args);
        return carriedOut ? Reflect.apply(original, this, args) : undefined;
      },
    });
  };
  const drawn = (corners: unknown, instances: unknown): void => {
    total.drawCalls += 1;
    total.triangles += (Number(corners) / 3) * Number(instances);
  };
  watch('drawElements', ([, corners]) => drawn(corners, 1), false);
  watch('drawArrays', ([, , corners]) => drawn(corners, 1), false);
  watch('drawElementsInstanced', ([, corners, , , instances]) => drawn(corners, instances), false);
  watch('drawArraysInstanced', ([, , corners, instances]) => drawn(corners, instances), false);
  watch('bufferData', ([, source]) => {
    total.uploadedBytes += sizeOf(source);
  });
  watch('bufferSubData', ([, , source, , length]) => {
    const width = ArrayBuffer.isView(source) && 'BYTES_PER_ELEMENT' in source ? Number(source.BYTES_PER_ELEMENT) : 1;
    total.uploadedBytes += length ? Number(length) * width : sizeOf(source);
  });
  for (const name of ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'])
    watch(name, (args) => {
      total.uploadedBytes += sizeOf(args.find(ArrayBuffer.isView));
    });
  for (const size of [1, 2, 3, 4]) {
    for (const kind of ['f', 'i', 'ui']) {
      watch(`uniform${size}${kind}`, () => {
        total.uniformBytes += size * BYTES_PER_NUMBER;
      });
      watch(`uniform${size}${kind}v`, ([, values]) => {
        total.uniformBytes += (values as ArrayLike<number>).length * BYTES_PER_NUMBER;
      });
    }
  }
  for (const side of [2, 3, 4])
    watch(`uniformMatrix${side}fv`, ([, , values]) => {
      total.uniformBytes += (values as ArrayLike<number>).length * BYTES_PER_NUMBER;
    });
  return {
    clear() {
      for (const key of Object.keys(total) as (keyof GlTotal)[]) total[key] = 0;
    },
    total: () => ({ ...total }),
  };
}
