import { Color, type Material, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial } from 'three';
import type { ColourMode } from '../../protocol/render-state.ts';
import type { Finish } from '../geometry/paint.ts';
import type { Audience, StageQuality } from '../types.ts';
import { segmentationHex } from './segmentation.ts';

/** How each finish takes light when there is light to spare for it. */
const SHEEN: Record<Exclude<Finish, 'glow'>, { roughness: number; metalness: number }> = {
  shell: { roughness: 0.5, metalness: 0 },
  frame: { roughness: 0.55, metalness: 0.25 },
  visor: { roughness: 0.12, metalness: 0 },
  metal: { roughness: 0.42, metalness: 0.35 },
  rubber: { roughness: 0.85, metalness: 0 },
  board: { roughness: 0.95, metalness: 0 },
  wood: { roughness: 0.85, metalness: 0 },
  wall: { roughness: 0.95, metalness: 0 },
};

/** The stage's materials: few, shared, made once for an audience. All but the floor's and the belt's take vertex colours. */
export interface MaterialKit {
  readonly rich: boolean;
  /** The material for a finish, or of an entity (`entityId`, null for what is none), in a colour mode. */
  material(mode: ColourMode, finish: Finish, entityId: string | null): Material;
  /** Like `material` in the modes without light, for surfaces that have a texture of their own in `natural`. */
  unlit(mode: Exclude<ColourMode, 'natural'>, colour: number, entityId: string | null): Material;
  dispose(): void;
}

/** Makes the materials for whoever looks. */
export function createMaterialKit(audience: Audience, quality: StageQuality): MaterialKit {
  const rich = audience === 'people' && quality === 'high';
  const made = new Map<string, Material>();
  const once = (key: string, make: () => Material): Material => {
    const existing = made.get(key);
    if (existing) return existing;
    const material = make();
    made.set(key, material);
    return material;
  };
  const segmentation = (entityId: string | null): Material =>
    once(`segmentation ${entityId ?? ''}`, () => flat(entityId === null ? 0x000000 : segmentationHex(entityId)));
  const natural = (finish: Finish): Material => {
    if (finish === 'glow') return once('glow', () => glowing(rich));
    if (!rich) return once('lambert', () => new MeshLambertMaterial({ vertexColors: true }));
    return once(finish, () => new MeshStandardMaterial({ vertexColors: true, ...SHEEN[finish] }));
  };
  return {
    rich,
    material(mode, finish, entityId) {
      switch (mode) {
        case 'natural':
          return natural(finish);
        case 'plain':
          return once('plain', () => new MeshBasicMaterial({ vertexColors: true, toneMapped: false }));
        case 'segmentation':
          return segmentation(entityId);
      }
    },
    unlit(mode, colour, entityId) {
      return mode === 'segmentation' ? segmentation(entityId) : once(`flat ${colour}`, () => flat(colour));
    },
    dispose() {
      for (const material of made.values()) material.dispose();
      made.clear();
    },
  };
}

/** Light of its own; the filmic curve of people's stage asks for more of it before it reads as light. */
function glowing(rich: boolean): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ vertexColors: true });
  material.color.setScalar(rich ? 1.9 : 1);
  return material;
}

function flat(colour: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ color: new Color(colour), toneMapped: false });
}
