import type { Plugin } from 'vite';

/**
 * The programs of three.js that no material of ours runs, as `ShaderChunk` names them. three.js builds a program when a material is first
 * drawn; one that is listed here would not compile, and the page would say so on its console.
 */
const PROGRAMS = [
  'backgroundCube',
  'cube',
  'distance',
  'equirect',
  'linedashed',
  'meshlambert',
  'meshmatcap',
  'meshnormal',
  'meshphong',
  'meshtoon',
  'points',
  'shadow',
  'sprite',
];

/** Texts of those programs that three.js draws with elsewhere too: what shiny things mirror is made with this one. */
const DRAWN_ELSEWHERE = ['cube_vert'];

/** Parts that only those programs include. */
const PARTS_OF_PROGRAMS = [
  'gradientmap_pars_fragment',
  'lights_lambert_fragment',
  'lights_lambert_pars_fragment',
  'lights_phong_fragment',
  'lights_phong_pars_fragment',
  'lights_toon_fragment',
  'lights_toon_pars_fragment',
];

/** Features that no material of ours has, and lights and planes that no world has. */
const ABSENT = new Set([
  ...[
    'DITHERING',
    'USE_ALPHAHASH',
    'USE_ALPHAMAP',
    'USE_ANISOTROPY',
    'USE_BATCHING',
    'USE_BATCHING_COLOR',
    'USE_BUMPMAP',
    'USE_CLEARCOAT',
    'USE_CLEARCOATMAP',
    'USE_CLEARCOAT_NORMALMAP',
    'USE_CLEARCOAT_ROUGHNESSMAP',
    'USE_DISPLACEMENTMAP',
    'USE_EMISSIVEMAP',
    'USE_FOG',
    'USE_GRADIENTMAP',
    'USE_INSTANCING_MORPH',
    'USE_IRIDESCENCE',
    'USE_IRIDESCENCEMAP',
    'USE_LIGHTMAP',
    'USE_LOGARITHMIC_DEPTH_BUFFER',
    'USE_METALNESSMAP',
    'USE_MORPHCOLORS',
    'USE_MORPHNORMALS',
    'USE_MORPHTARGETS',
    'USE_ROUGHNESSMAP',
    'USE_SHEEN',
    'USE_SKINNING',
    'USE_SPECULARMAP',
    'USE_TRANSMISSION',
  ].flatMap((feature) => [`#ifdef ${feature}`, `#if defined( ${feature} )`]),
  '#if NUM_CLIPPING_PLANES > 0',
  '#if NUM_LIGHT_PROBE_GRIDS > 0',
]);

/** `var name = "GLSL";`, the text as JavaScript has it. */
const DECLARED = /^(var|const) ([\w$]+) = ("(?:[^"\\]|\\.)*");$/gm;
/** `name: variable,` of the table that names the texts. */
const NAMED = /^\t(\w+_(?:vert|frag)): ([\w$]+),?$/gm;

/**
 * Returns three.js without the shader texts that no material of ours runs: they are an eighth of all its texts, compressed.
 * @throws Error when three.js names its texts in another way than this knows, or draws with one of them elsewhere
 */
export function withoutUnusedShaders(code: string): string {
  const programs = new Map([...code.matchAll(NAMED)].map(([, program = '', variable = '']) => [variable, program]));
  const isUnusedProgram = (program: string | undefined): boolean =>
    program !== undefined && PROGRAMS.includes(program.replace(/_(?:vert|frag)$/, '')) && !DRAWN_ELSEWHERE.includes(program);
  for (const program of programs.values())
    if (isUnusedProgram(program) && code.split(`ShaderChunk.${program}`).length > 2)
      throw new Error(`three.js draws with ${program} in another place too: keep it in scripts/vite/three-shaders.ts.`);
  let emptied = 0;
  const smaller = code.replace(DECLARED, (_, keyword: string, variable: string, text: string) => {
    const isUnused = isUnusedProgram(programs.get(variable)) || PARTS_OF_PROGRAMS.includes(variable);
    if (isUnused) emptied += 1;
    return `${keyword} ${variable} = ${isUnused ? '""' : JSON.stringify(withoutAbsent(JSON.parse(text) as string))};`;
  });
  const expected = 2 * PROGRAMS.length - DRAWN_ELSEWHERE.length + PARTS_OF_PROGRAMS.length;
  if (emptied !== expected)
    throw new Error(`three.js names its shaders in another way than scripts/vite/three-shaders.ts knows: ${emptied} found.`);
  return smaller;
}

/** Returns a text without the lines that the preprocessor of GLSL would leave out for want of a feature. */
function withoutAbsent(text: string): string {
  const kept: string[] = [];
  /** One for each open condition: whether it is of an absent feature, and whether its lines are left out now. */
  const open: { isAbsent: boolean; isOut: boolean }[] = [];
  for (const line of text.split('\n')) {
    const said = line.trim();
    const isOut = open.some((condition) => condition.isOut);
    if (/^#if/.test(said)) {
      const isAbsent = !isOut && ABSENT.has(said);
      open.push({ isAbsent, isOut: isAbsent });
      if (!isAbsent && !isOut) kept.push(line);
      continue;
    }
    const last = open.at(-1);
    if (last?.isAbsent && /^#el/.test(said)) {
      if (said !== '#else') throw new Error(`scripts/vite/three-shaders.ts does not know "${said}" after an absent feature.`);
      last.isOut = false;
      continue;
    }
    if (said.startsWith('#endif')) {
      open.pop();
      if (last?.isAbsent) continue;
    }
    if (!isOut) kept.push(line);
  }
  if (open.length > 0) throw new Error('A shader text of three.js has a condition that does not end.');
  return kept.join('\n');
}

/** Takes the shader texts that are not used out of the built page. */
export const threeShaders = (): Plugin => ({
  name: 'three-shaders',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    return /[\\/]three[\\/]build[\\/]three\.module\.js$/.test(id) ? { code: withoutUnusedShaders(code), map: null } : null;
  },
});
