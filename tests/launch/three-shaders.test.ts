import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutUnusedShaders } from '../../scripts/vite/three-shaders.ts';

const THREE = readFileSync(join(import.meta.dirname, '../../node_modules/three/build/three.module.js'), 'utf8');

const textOf = (code: string, variable: string): string =>
  JSON.parse(
    new RegExp(`^(?:var|const) ${variable.replace('$', '\\$')} = ("(?:[^"\\\\]|\\\\.)*");$`, 'm').exec(code)?.[1] ?? '""',
  ) as string;

it('the page has no shader text for what no material of ours does, and the rest as it was', () => {
  const smaller = withoutUnusedShaders(THREE);
  expect(THREE.length - smaller.length).toBeGreaterThan(50_000);
  for (const variable of ['lights_toon_fragment', 'skinning_vertex', 'alphahash_fragment']) {
    expect(textOf(THREE, variable), variable).not.toBe('');
    expect(textOf(smaller, variable), variable).toBe('');
  }
  for (const variable of ['tonemapping_fragment', 'shadowmap_pars_fragment', 'cube_uv_reflection_fragment', 'map_fragment'])
    expect(textOf(smaller, variable), variable).toBe(textOf(THREE, variable));
  // Only the lines of what is absent go.
  expect(textOf(smaller, 'aomap_fragment')).toContain('ambientOcclusion');
  expect(textOf(THREE, 'lights_physical_fragment')).toContain('USE_CLEARCOAT');
  expect(textOf(smaller, 'lights_physical_fragment')).not.toMatch(/USE_(?:CLEARCOAT|IRIDESCENCE|SHEEN)\b/);
});

it('a text that three.js draws with elsewhere is kept: reflections are made with the vertex shader of a cube', () => {
  const variable = /^\tcube_vert: ([\w$]+),?$/m.exec(THREE)?.[1] ?? '';
  expect(textOf(THREE, variable)).toContain('void main()');
  expect(textOf(withoutUnusedShaders(THREE), variable)).toBe(textOf(THREE, variable));
});

it('a text that is dropped and used elsewhere ends the build', () => {
  expect(() => withoutUnusedShaders(`${THREE}\nconst more = ShaderChunk.equirect_vert;\n`)).toThrow('equirect_vert');
});

it('another three.js, which names its shaders otherwise, ends the build with the file to look at', () => {
  expect(() => withoutUnusedShaders('export const nothing = "";')).toThrow('scripts/vite/three-shaders.ts');
});
