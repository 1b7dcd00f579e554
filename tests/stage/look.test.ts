import { Color, LinearSRGBColorSpace, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { toOptical } from '../../src/cameras/boxes.ts';
import { cameraView } from '../../src/protocol/wire/capture-frame.ts';
import { intrinsicsFor } from '../../src/protocol/wire/captures.ts';
import { THING_COLOURS } from '../../src/protocol/wire/scene.ts';
import { segmentationHex } from '../../src/protocol/wire/segmentation.ts';
import { cameraTone } from '../../src/stage/look/camera-palette.ts';
import { entityOfPixel, setIdColour } from '../../src/stage/look/ids.ts';
import { CUBE_HEX, PALETTE } from '../../src/stage/look/palette.ts';
import { placeOpticalCamera } from '../../src/stage/optical-camera.ts';
import { INKS, PAINT_INKS, shaded } from '../../src/stage/scenes/home/inks.ts';
import { sampleState } from './helpers/sample-world.ts';

/** Returns hue in degrees and saturation by HSV, which colour detectors use. */
function hueAndSaturation(hex: number): { hueDeg: number; saturation: number } {
  const [r, g, b] = [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];
  const max = Math.max(r, g, b);
  const delta = max - Math.min(r, g, b);
  if (delta === 0) return { hueDeg: 0, saturation: 0 };
  const sixth = max === r ? ((g - b) / delta) % 6 : max === g ? (b - r) / delta + 2 : (r - g) / delta + 4;
  return { hueDeg: (sixth * 60 + 360) % 360, saturation: delta / max };
}

const DETECTOR_BANDS_DEG = { red: [340, 380], yellow: [40, 70], green: [70, 170], blue: [180, 260] } as const;
const inBand = (hueDeg: number, [from, to]: readonly [number, number]): boolean =>
  (hueDeg >= from && hueDeg <= to) || (hueDeg + 360 >= from && hueDeg + 360 <= to);

describe('palette', () => {
  it.each(THING_COLOURS)('gives %s cubes a saturated colour well inside their detector band', (colour) => {
    const { hueDeg, saturation } = hueAndSaturation(CUBE_HEX[colour]);
    expect(inBand(hueDeg, DETECTOR_BANDS_DEG[colour])).toBe(true);
    expect(saturation).toBeGreaterThan(0.6);
  });

  it.each(Object.entries(PALETTE))('no detector takes %s for a cube, painted or as cameras see it', (_, hex) => {
    for (const seen of [hex, cameraTone('board', hex), cameraTone('wood', hex)]) {
      const { hueDeg, saturation } = hueAndSaturation(seen);
      const isTaken = Object.values(DETECTOR_BANDS_DEG).some((band) => inBand(hueDeg, band));
      if (isTaken) expect(saturation).toBeLessThan(0.12);
    }
  });
});

describe('the colours of homes', () => {
  it.each(Object.entries({ ...INKS, ...PAINT_INKS }))(
    'no detector takes the ink %s for a cube, in any shade',
    (_, { camera }) => {
      for (const share of [0.55, 0.8, 1, 1.1]) {
        const { hueDeg, saturation } = hueAndSaturation(shaded(camera, share));
        const isTaken = Object.values(DETECTOR_BANDS_DEG).some((band) => inBand(hueDeg, band));
        expect(saturation).toBeLessThan(isTaken ? 0.1 : 0.12);
      }
    },
  );
});

describe('segmentation and ids', () => {
  const ids = ['robot', 'pad_A', 'pad_B', 'pad_C', 'pad_D', 'pad_E', ...Array.from({ length: 40 }, (_, k) => `cube_${k}`)];

  const drawn = (id: string): number => segmentationHex(id, ids.indexOf(id) < 6 ? 'dark' : 'bright');

  it('gives every entity of a scene its own colour, which is not black', () => {
    const colours = ids.map(drawn);
    expect(new Set(colours).size).toBe(ids.length);
    expect(colours.every((hex) => hueAndSaturation(hex).saturation > 0.5)).toBe(true);
  });

  it('keeps pads apart from each other and from cubes by at least 24 in some channel', () => {
    const near = (a: number, b: number): boolean =>
      [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) < 24);
    const pads = ids.slice(0, 6).map(drawn);
    pads.forEach((pad, k) => {
      for (const other of [...pads.slice(k + 1), ...ids.slice(6, 26).map(drawn)]) expect(near(pad, other)).toBe(false);
    });
  });

  it('reads entities back from the pixels with which they were drawn', () => {
    for (const id of ids) {
      const { r, g, b } = setIdColour(new Color(), id).getRGB({ r: 0, g: 0, b: 0 }, LinearSRGBColorSpace);
      expect(entityOfPixel(Math.round(r * 255), Math.round(g * 255), Math.round(b * 255))).toBe(id);
    }
    expect(entityOfPixel(0, 0, 0)).toBeNull();
  });
});

describe('optical camera', () => {
  it.each([
    ['pov', 1280, 720],
    ['pov', 640, 640],
    ['topdown', 1920, 1080],
    ['topdown', 320, 1080],
  ] as const)('P14: %s at %i x %i projects as its published intrinsics and pose do', (cameraId, widthPx, heightPx) => {
    const pose = cameraView(sampleState({ yawRad: 0.7, headPitchRad: 0.4 }), cameraId);
    const camera = new PerspectiveCamera();
    placeOpticalCamera(camera, pose, widthPx, heightPx);
    const { fx, fy, cx, cy } = intrinsicsFor(pose.verticalFovDeg, widthPx, heightPx);
    for (const point of [
      [1.4, -1.8, 0.65],
      [2, 1.5, 0.3],
      [1, -0.6, 0.1],
      [3, 0.4, 1.2],
    ] as const) {
      const [x, y, z] = toOptical(point, pose);
      if (z <= 0.05) continue;
      const drawn = new Vector3(...point).project(camera);
      expect(((drawn.x + 1) / 2) * widthPx).toBeCloseTo(cx + (fx * x) / z, 6);
      expect(((1 - drawn.y) / 2) * heightPx).toBeCloseTo(cy + (fy * y) / z, 6);
    }
  });
});
