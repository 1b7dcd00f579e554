import { Color, type Material, MeshBasicMaterial, MeshStandardMaterial, ShaderChunk } from 'three';
import { segmentationHex } from '../../protocol/wire/segmentation.ts';
import type { Finish } from '../geometry/finish.ts';
import type { Audience, Look, StageQuality, StatusLight } from '../types.ts';
import { cameraTone } from './camera-palette.ts';
import { cornerGlow, cornerLit } from './corner-light.ts';
import { setIdColour } from './ids.ts';
import { peopleTone, type Tone } from './people-palette.ts';
import { tuneLight } from './status-light.ts';

/** How each finish takes light with the rich materials. */
const SHEEN: Record<Exclude<Finish, 'glow' | 'status'>, { roughness: number; metalness: number }> = {
  shell: { roughness: 0.5, metalness: 0 },
  frame: { roughness: 0.55, metalness: 0.25 },
  visor: { roughness: 0.12, metalness: 0 },
  metal: { roughness: 0.42, metalness: 0.35 },
  rubber: { roughness: 0.85, metalness: 0 },
  board: { roughness: 0.95, metalness: 0 },
  wood: { roughness: 0.85, metalness: 0 },
  wall: { roughness: 0.95, metalness: 0 },
};

/** The filmic curve of people's stage needs more light before it looks like light. */
const GLOW_GAIN = 1.9;
/** Gain of the robot's lights, low enough that their colour stays readable. */
const STATUS_GAIN = 1.25;

/** The warm tint of people's lights on a matt horizontal face. */
const PEOPLE_TINT = [1, 0.97, 0.92] as const;

/** The stage's materials: few, shared, made once per audience. All except the floor's and the belt's take vertex colours. */
export interface MaterialKit {
  readonly audience: Audience;
  readonly rich: boolean;
  /** Unlit things are multiplied by this, so that they look lit like the rest: linear red, green, blue. */
  readonly tint: readonly [number, number, number];
  /** Converts the painted colours of the place for the audience. */
  readonly tone: Tone;
  /**
   * Returns the material for a finish, or of an entity (`entityId`, null for none), in a look; null when the look leaves it out.
   */
  material(look: Look, finish: Finish, entityId: string | null): Material | null;
  /** Like `material` in the looks without light, for surfaces that have a texture of their own in `natural`. */
  unlit(look: Exclude<Look, 'natural'>, colour: number, entityId: string | null): Material | null;
  /** Shows the robot's state by its lights; for people only. @param timeS any steady clock */
  setStatusLight(statusLight: StatusLight, timeS: number): void;
  dispose(): void;
}

/** Makes the materials for an audience. */
export function createMaterialKit(audience: Audience, quality: StageQuality): MaterialKit {
  const rich = audience === 'people' && quality === 'high';
  const statusColour = new Color();
  const made = new Map<string, Material>();
  const once = (key: string, make: () => Material): Material => {
    const existing = made.get(key);
    if (existing) return existing;
    const material = make();
    made.set(key, material);
    return material;
  };
  const marked = (look: 'segmentation' | { only: string | null }, entityId: string | null): Material | null => {
    if (look === 'segmentation')
      return once(`segmentation ${entityId ?? ''}`, () => flat(entityId === null ? 0 : segmentationHex(entityId, 'dark')));
    if (look.only !== null && look.only !== entityId) return null;
    return once(`id ${entityId ?? ''}`, () => {
      const material = flat(0);
      if (entityId !== null) setIdColour(material.color, entityId);
      return material;
    });
  };
  const natural = (finish: Finish): Material => {
    if (finish === 'status' && audience === 'people') return once('status', () => glowing(audience, rich, statusColour));
    if (finish === 'glow' || finish === 'status')
      return once('glow', () => glowing(audience, rich, new Color().setScalar(rich ? GLOW_GAIN : 1)));
    if (!rich) return once('matt', () => cornerLit(audience));
    return once(finish, () => withSteadyNormals(new MeshStandardMaterial({ vertexColors: true, ...SHEEN[finish] })));
  };
  return {
    audience,
    rich,
    tint: audience === 'people' ? PEOPLE_TINT : [1, 1, 1],
    tone: audience === 'people' ? peopleTone : cameraTone,
    material(look, finish, entityId) {
      if (look === 'natural') return natural(finish);
      if (look === 'plain') return once('plain', () => new MeshBasicMaterial({ vertexColors: true, toneMapped: false }));
      return marked(look, entityId);
    },
    unlit(look, colour, entityId) {
      return look === 'plain' ? once(`flat ${colour}`, () => flat(colour)) : marked(look, entityId);
    },
    setStatusLight(statusLight, timeS) {
      tuneLight(statusColour, statusLight, timeS, rich ? STATUS_GAIN : 1);
    },
    dispose() {
      for (const material of made.values()) material.dispose();
      made.clear();
    },
  };
}

/**
 * Interpolates normals where a pixel is covered, not at its middle. With multisampling the middle may lie outside a triangle seen
 * edge-on, and the extrapolated normal draws dark specks along every outline.
 */
function withSteadyNormals<T extends Material>(material: T): T {
  const centroid = (chunk: 'normal_pars_vertex' | 'normal_pars_fragment'): [string, string] => [
    `#include <${chunk}>`,
    ShaderChunk[chunk].replace('varying vec3 vNormal', 'centroid varying vec3 vNormal'),
  ];
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(...centroid('normal_pars_vertex'));
    shader.fragmentShader = shader.fragmentShader.replace(...centroid('normal_pars_fragment'));
  };
  return material;
}

/** Returns a material with light of its own. @param tint stays the material's: changing it changes the light */
function glowing(audience: Audience, rich: boolean, tint: Color): Material {
  if (!rich) return cornerGlow(audience, tint);
  const material = new MeshBasicMaterial({ vertexColors: true });
  material.color = tint;
  return material;
}

function flat(colour: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ color: new Color(colour), toneMapped: false });
}
