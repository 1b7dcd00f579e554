import { BufferGeometry, Float32BufferAttribute } from 'three';
import { clamp } from '../../common/clamp.ts';

/**
 * One cross-section of a shell, in the plane perpendicular to z: a superellipse |x/rx|^p + |y/ry|^p = 1 about (cx, cy). Metres.
 */
export interface LoftSection {
  z: number;
  rx: number;
  ry: number;
  cx?: number;
  cy?: number;
  /** 2 is an ellipse, 4 nearly a rounded rectangle. @default 2.6 */
  power?: number;
}

export interface LoftOptions {
  /** Points around. @default 26 */
  around?: number;
  /** Rings between two sections. @default 3 */
  between?: number;
  /** Radius of the rounded edge at the first and the last section, metres. @default 0.008 */
  fillet?: number | readonly [number, number];
}

type FullSection = Required<LoftSection>;

const FILLET_RINGS = 3;

/**
 * Returns a closed shell through superellipse sections, ordered by rising z, smoothed along z by Catmull-Rom splines, with
 * filleted flat ends.
 * @returns indexed geometry with smooth normals, no uv; metres, in the frame of the sections
 */
export function loft(sections: readonly LoftSection[], options: LoftOptions = {}): BufferGeometry {
  const around = options.around ?? 26;
  const fillet = options.fillet ?? 0.008;
  const [filletStart, filletEnd] = typeof fillet === 'number' ? [fillet, fillet] : fillet;
  const body = smoothed(sections.map(complete), options.between ?? 3);
  const first = body[0];
  const last = body[body.length - 1];
  if (!first || !last) throw new RangeError('A loft needs at least one section.');
  const rings = [...filletRings(first, filletStart, -1).reverse(), ...body, ...filletRings(last, filletEnd, 1)];

  const positions: number[] = [];
  for (const ring of rings) {
    for (let k = 0; k < around; k++) {
      const [x, y] = onRim(ring, (2 * Math.PI * k) / around);
      positions.push(x, y, ring.z);
    }
  }
  const indices: number[] = [];
  for (let ring = 0; ring + 1 < rings.length; ring++) {
    for (let k = 0; k < around; k++) {
      const a = ring * around + k;
      const b = ring * around + ((k + 1) % around);
      indices.push(a, b, a + around, b, b + around, a + around);
    }
  }
  addCap(positions, indices, rings[0] ?? first, 0, around, false);
  addCap(positions, indices, rings[rings.length - 1] ?? last, (rings.length - 1) * around, around, true);

  return shell(positions, indices);
}

function addCap(
  positions: number[],
  indices: number[],
  ring: FullSection,
  firstIndex: number,
  around: number,
  isTop: boolean,
): void {
  const centre = positions.length / 3;
  positions.push(ring.cx, ring.cy, ring.z);
  for (let k = 0; k < around; k++) {
    const a = firstIndex + k;
    const b = firstIndex + ((k + 1) % around);
    if (isTop) indices.push(a, b, centre);
    else indices.push(b, a, centre);
  }
}

/**
 * Returns the point where the ray from a section's middle at an angle meets its rim. Points are even in angle, unlike the
 * superellipse's own parameter.
 */
function onRim(section: FullSection, thetaRad: number): [number, number] {
  const cos = Math.cos(thetaRad);
  const sin = Math.sin(thetaRad);
  const reach =
    (Math.abs(cos / section.rx) ** section.power + Math.abs(sin / section.ry) ** section.power) ** (-1 / section.power);
  return [section.cx + cos * reach, section.cy + sin * reach];
}

/**
 * Returns the sections of a dome for `loft` and `inlay`: a superellipsoid about `centre`, cut off at the two latitudes (degrees
 * from its equator).
 * @param radii half extents along x, y and z, metres
 */
export function domeSections(
  centre: readonly [number, number, number],
  radii: readonly [number, number, number],
  latitudesDeg: readonly [number, number],
  power = 2.4,
): LoftSection[] {
  const steps = 12;
  return Array.from({ length: steps + 1 }, (_, k) => {
    const latitude = ((latitudesDeg[0] + ((latitudesDeg[1] - latitudesDeg[0]) * k) / steps) * Math.PI) / 180;
    const shrink = Math.cos(latitude) ** (2 / power);
    return {
      z: centre[2] + radii[2] * signedPower(Math.sin(latitude), 2 / power),
      rx: radii[0] * shrink,
      ry: radii[1] * shrink,
      cx: centre[0],
      cy: centre[1],
      power,
    };
  });
}

const complete = (section: LoftSection): FullSection => ({ cx: 0, cy: 0, power: 2.6, ...section });

const signedPower = (value: number, exponent: number): number => Math.sign(value) * Math.abs(value) ** exponent;

/**
 * Returns a quarter-round from a section outwards along z (direction ±1), which looks like a product's edge rather than a cut.
 */
function filletRings(section: FullSection, radius: number, direction: 1 | -1): FullSection[] {
  const usable = Math.min(radius, section.rx * 0.9, section.ry * 0.9);
  return Array.from({ length: FILLET_RINGS }, (_, k) => {
    const angle = ((k + 1) / FILLET_RINGS) * (Math.PI / 2);
    const inset = usable * (1 - Math.cos(angle));
    return { ...section, z: section.z + direction * usable * Math.sin(angle), rx: section.rx - inset, ry: section.ry - inset };
  });
}

/** A rounded field on a loft's side, for inlays that follow its curve. */
export interface InlayOptions {
  /** Middle of the field about z, radians from +x. @default 0 */
  thetaRad?: number;
  /** Half its width about z, radians. */
  halfThetaRad: number;
  z: readonly [number, number];
  /** How far it stands out in the middle, metres; its rim lies below the shell. */
  liftM: number;
  /** Outline: 2 is an ellipse, larger is squarer. @default 4 */
  power?: number;
}

/** Rings of an inlay from its middle outwards, closer where it rounds off. */
const INLAY_RINGS: readonly number[] = [0.35, 0.7, 0.86, 0.94, 1];
const INLAY_AROUND = 64;

/**
 * Returns an inlay on the side of the loft of these sections: a field with a rounded outline that follows the shell and stands
 * out a little.
 */
export function inlay(sections: readonly LoftSection[], options: InlayOptions): BufferGeometry {
  const rings = smoothed(sections.map(complete), 12);
  const power = options.power ?? 4;
  const [z0, z1] = options.z;
  const positions: number[] = [];
  const indices: number[] = [];
  const surface = (u: number, v: number, lift: number): void => {
    const section = sectionAt(rings, (z0 + z1) / 2 + (v * (z1 - z0)) / 2);
    const theta = (options.thetaRad ?? 0) + u * options.halfThetaRad;
    const [x, y] = onRim(section, theta);
    positions.push(x + lift * Math.cos(theta), y + lift * Math.sin(theta), section.z);
  };
  surface(0, 0, options.liftM);
  INLAY_RINGS.forEach((r, ring) => {
    const lift = options.liftM * (1 - 2 * r ** 8);
    for (let k = 0; k < INLAY_AROUND; k++) {
      const angle = (2 * Math.PI * k) / INLAY_AROUND;
      const [u, v] = onRim({ cx: 0, cy: 0, rx: 1, ry: 1, z: 0, power }, angle);
      surface(r * u, r * v, lift);
      const next = (k + 1) % INLAY_AROUND;
      const inner = 1 + (ring - 1) * INLAY_AROUND;
      const outer = 1 + ring * INLAY_AROUND;
      if (ring === 0) indices.push(0, outer + k, outer + next);
      else indices.push(inner + k, outer + k, outer + next, inner + k, outer + next, inner + next);
    }
  });
  return shell(positions, indices);
}

/** Returns the section at a height, interpolated between rings of rising z. */
function sectionAt(rings: readonly FullSection[], z: number): FullSection {
  const upper = rings.findIndex((ring) => ring.z >= z);
  const b = rings[upper] ?? rings[rings.length - 1];
  const a = rings[Math.max(0, upper - 1)] ?? b;
  if (!a || !b) throw new RangeError('A loft needs at least one section.');
  const t = b.z === a.z ? 0 : clamp((z - a.z) / (b.z - a.z), 0, 1);
  const mix = (key: keyof FullSection): number => a[key] + (b[key] - a[key]) * t;
  return { z, rx: mix('rx'), ry: mix('ry'), cx: mix('cx'), cy: mix('cy'), power: mix('power') };
}

function shell(positions: number[], indices: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

function smoothed(sections: readonly FullSection[], between: number): FullSection[] {
  const out: FullSection[] = [];
  for (let i = 0; i + 1 < sections.length; i++) {
    const b = sections[i];
    const c = sections[i + 1];
    if (!b || !c) break;
    const a = sections[i - 1] ?? b;
    const d = sections[i + 2] ?? c;
    for (let k = 0; k < between; k++) {
      const t = k / between;
      const mix = (key: keyof FullSection): number => catmullRom(a[key], b[key], c[key], d[key], t);
      out.push({
        z: b.z + (c.z - b.z) * t,
        rx: mix('rx'),
        ry: mix('ry'),
        cx: mix('cx'),
        cy: mix('cy'),
        power: b.power + (c.power - b.power) * t,
      });
    }
  }
  const end = sections[sections.length - 1];
  if (end) out.push(end);
  return out;
}

/** Evaluates a uniform Catmull-Rom spline between p1 (t = 0) and p2 (t = 1). */
function catmullRom(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const m1 = (p2 - p0) / 2;
  const m2 = (p3 - p1) / 2;
  return p1 + t * (m1 + t * (3 * (p2 - p1) - 2 * m1 - m2 + t * (2 * (p1 - p2) + m1 + m2)));
}
