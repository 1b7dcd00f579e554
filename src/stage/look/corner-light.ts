import { Color, ShaderMaterial, type Texture, Vector3 } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { Audience } from '../types.ts';
import { type FarLight, LIGHT_RIG } from './light-rig.ts';

/*
 * The materials of `low`. They compute light, tone mapping and the screen's encoding at the corners of triangles, so that a pixel
 * costs next to nothing. Software rendering then takes a third of the time for the warehouse, and flat faces look the same.
 */

/** Returns the matt material of everything painted. It takes vertex colours and the light rig. */
export const cornerLit = (audience: Audience): ShaderMaterial => painted(audience, 'corner lit', null);

/** Returns a material with light of its own. It takes vertex colours, multiplied by a tint. */
export const cornerGlow = (audience: Audience, tint: Color): ShaderMaterial => painted(audience, 'corner glow', tint);

/** Uses one program for both: with software rendering, compiling a second one takes longer than drawing. */
function painted(audience: Audience, name: string, tint: Color | null): ShaderMaterial {
  return new ShaderMaterial({
    name,
    vertexColors: true,
    toneMapped: false,
    uniforms: { glows: { value: tint ? 1 : 0 }, tint: { value: tint ?? new Color() } },
    vertexShader: paintedCorner(audience),
    fragmentShader: PAINTED_PIXEL,
  });
}

/** The paint of a textured surface. Textures have one channel, encoded as sRGB and read as they are. */
export interface Ground {
  colour: Color;
  grain: Texture;
  /** Covers the whole surface, for the `uv1` set. */
  shade: Texture;
  /** The light on it where it is the same everywhere; null means that of the rig. */
  light: Color | null;
}

/**
 * Returns the material of a textured surface. Its shown colour is a smooth function of its texture's brightness, which tone
 * mapping bends. The corners compute this curve at four brightnesses, and pixels follow the cubic through them.
 */
export function cornerLitGround(audience: Audience, { colour, grain, shade, light }: Ground): ShaderMaterial {
  return new ShaderMaterial({
    name: 'corner lit ground',
    toneMapped: false,
    uniforms: {
      colour: { value: colour },
      isEven: { value: light ? 1 : 0 },
      evenLight: { value: light ?? new Color() },
      grain: { value: grain },
      grainOffset: { value: grain.offset },
      shade: { value: shade },
    },
    vertexShader: groundCorner(audience),
    fragmentShader: GROUND_PIXEL,
  });
}

/** Formats a number for GLSL, with a decimal point. */
const glsl = (value: number): string => value.toFixed(9);
const vec3 = (values: Vec3): string => `vec3(${values.map(glsl).join(', ')})`;

/** Without it, normals and colours of slivers seen edge-on are extrapolated far outside of them: dark specks along outlines. */
const STEADY = 'centroid varying';

const paintedCorner = (audience: Audience): string => `
${lightGlsl(audience)}
uniform float glows;
uniform vec3 tint;
${STEADY} vec3 vShown;
void main() {
  vec4 place = vec4(position, 1.0);
  vec3 turned = normal;
  vec3 painted = color;
  #ifdef USE_INSTANCING
    place = instanceMatrix * place;
    mat3 turn = mat3(instanceMatrix);
    turned = turn * (turned / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2])));
  #endif
  #ifdef USE_INSTANCING_COLOR
    painted *= instanceColor;
  #endif
  turned = normalize(mat3(modelMatrix) * turned);
  vShown = shownAs(painted * mix(lightOn(turned), tint, glows));
  gl_Position = projectionMatrix * (modelViewMatrix * place);
}`;

const PAINTED_PIXEL = `
${STEADY} vec3 vShown;
void main() { gl_FragColor = vec4(vShown, 1.0); }`;

/** Brightness to the power of 1/2.4, in which the screen's encoding is a straight line. */
const NODES = [0.4, 0.6, 0.8, 1] as const;

const groundCorner = (audience: Audience): string => `
${lightGlsl(audience)}
uniform vec3 colour;
uniform float isEven;
uniform vec3 evenLight;
uniform vec2 grainOffset;
attribute vec2 uv1;
varying vec2 vShadeUv;
varying vec2 vGrainUv;
${[0, 1, 2, 3].map((k) => `varying vec3 vTerm${k};`).join('\n')}
void main() {
  vec3 lit = colour * mix(lightOn(normalize(mat3(modelMatrix) * normal)), evenLight, isEven);
  ${NODES.map((node, k) => `vec3 at${k} = shownAs(lit * ${glsl(node ** 2.4)});`).join('\n  ')}
  // Newton's divided differences, then the terms of the polynomial.
  ${dividedDifferences()}
  vGrainUv = uv + grainOffset;
  vShadeUv = uv1;
  gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
}`;

const GROUND_PIXEL = `
uniform sampler2D grain;
uniform sampler2D shade;
varying vec2 vShadeUv;
varying vec2 vGrainUv;
${[0, 1, 2, 3].map((k) => `varying vec3 vTerm${k};`).join('\n')}
float unbent(float encoded) { return encoded * ${glsl(1 / 1.055)} + ${glsl(0.055 / 1.055)}; }
void main() {
  float bright = unbent(texture2D(grain, vGrainUv).r) * unbent(texture2D(shade, vShadeUv).r);
  gl_FragColor = vec4(vTerm0 + bright * (vTerm1 + bright * (vTerm2 + bright * vTerm3)), 1.0);
}`;

function dividedDifferences(): string {
  const [a, b, c, d] = NODES;
  return `
  vec3 d01 = (at1 - at0) / ${glsl(b - a)};
  vec3 d12 = (at2 - at1) / ${glsl(c - b)};
  vec3 d23 = (at3 - at2) / ${glsl(d - c)};
  vec3 d012 = (d12 - d01) / ${glsl(c - a)};
  vec3 d123 = (d23 - d12) / ${glsl(d - b)};
  vTerm3 = (d123 - d012) / ${glsl(d - a)};
  vTerm2 = d012 - vTerm3 * ${glsl(a + b + c)};
  vTerm1 = d01 - d012 * ${glsl(a + b)} + vTerm3 * ${glsl(a * b + a * c + b * c)};
  vTerm0 = at0 - d01 * ${glsl(a)} + d012 * ${glsl(a * b)} - vTerm3 * ${glsl(a * b * c)};`;
}

/**
 * Defines `lightOn(normal)`, the light on a matt face, world frame, and `shownAs(colour)`, from linear light to the screen's
 * encoding.
 */
function lightGlsl(audience: Audience): string {
  const warm = audience === 'people';
  const { sky, key, fills } = LIGHT_RIG;
  const upper = lightOf(warm ? sky.peopleSkyColour : sky.skyColour, sky.intensity);
  const lower = lightOf(warm ? sky.peopleGroundColour : sky.groundColour, sky.intensity);
  const far = [key, ...fills].map(({ toward, intensity, peopleColour }: FarLight) => {
    const { x, y, z } = new Vector3(...toward).normalize();
    return ` + ${vec3(lightOf(warm ? peopleColour : 0xffffff, intensity))} * max(0.0, dot(normal, ${vec3([x, y, z])}))`;
  });
  return `
#include <tonemapping_pars_fragment>
#include <colorspace_pars_fragment>
vec3 lightOn(vec3 normal) { return mix(${vec3(lower)}, ${vec3(upper)}, 0.5 * normal.z + 0.5)${far.join('')}; }
vec3 shownAs(vec3 linear) {
  return sRGBTransferOETF(vec4(${warm ? 'ACESFilmicToneMapping' : 'LinearToneMapping'}(linear), 1.0)).rgb;
}`;
}

/** Returns the colour that a white face shows under a light that it faces, linear red, green, blue. @param colour sRGB hex */
function lightOf(colour: number, intensity: number): Vec3 {
  const { r, g, b } = new Color(colour).multiplyScalar(intensity / Math.PI);
  return [r, g, b];
}
