import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useMemo } from 'react';
import { ACESFilmicToneMapping, Color, LinearToneMapping, PCFShadowMap } from 'three';
import type { ScenePlace } from '../protocol/wire/place.ts';
import { createEnvironment } from './look/environment.ts';
import { Lights } from './look/Lights.tsx';
import { PALETTE } from './look/palette.ts';
import { createStage, type Stage } from './stage.ts';
import type { Audience, FrameSource, Look, StageQuality } from './types.ts';

export interface StageSceneProps {
  layout: ScenePlace;
  source: FrameSource;
  audience: Audience;
  /** For people only. @default 'low' */
  quality?: StageQuality;
  /** With `high`: whether the key light casts shadows. @default true */
  shadows?: boolean;
  /** Colour behind the scene, in natural colours; sRGB hex. @default the scene's own pale grey */
  background?: number;
  /** A finished stage for this layout, audience and quality. Its builder disposes it. @default one of its own, built at once */
  stage?: Stage;
}

/** In id pictures, black means no entity. */
const NOTHING = new Color(0x000000);

/**
 * Draws the whole world, for people and for the robot's cameras. Put it into any R3F root whose camera has z up. It sets the
 * root's background, tone mapping and shadows, and reads the source before every frame.
 */
export function StageScene({
  layout,
  source,
  audience,
  quality: wanted = 'low',
  shadows = true,
  background = PALETTE.background,
  stage: given,
}: StageSceneProps) {
  const quality: StageQuality = audience === 'people' ? wanted : 'low';
  const renderer = useThree((state) => state.gl);
  const scene = useThree((state) => state.scene);
  const own = useMemo(() => (given ? null : createStage({ layout, audience, quality })), [given, layout, audience, quality]);
  const stage = given ?? own;
  const naturalBackground = useMemo(() => new Color(background), [background]);
  useEffect(() => () => own?.dispose(), [own]);

  useEffect(() => {
    // Cameras stay linear: a filmic curve would colour dark greys and bend the cubes' hues, which detectors read.
    renderer.toneMapping = audience === 'camera' ? LinearToneMapping : ACESFilmicToneMapping;
    // The plain materials of `low` have more light on them than the shadowed ones of `high`.
    renderer.toneMappingExposure = audience === 'people' && quality === 'high' ? 1.16 : 1;
    renderer.shadowMap.enabled = quality === 'high' && shadows;
    renderer.shadowMap.type = PCFShadowMap;
  }, [renderer, audience, quality, shadows]);

  useEffect(() => {
    if (quality !== 'high') return;
    const environment = createEnvironment(renderer);
    scene.environment = environment.texture;
    scene.environmentIntensity = 0.32;
    return () => {
      scene.environment = null;
      environment.dispose();
    };
  }, [renderer, scene, quality]);

  useFrame(({ clock }) => {
    if (!stage) return;
    stage.draw(source, clock.elapsedTime);
    scene.background = backgroundOf(stage.look(), naturalBackground);
  });

  return (
    <>
      {/* The materials of `low` have the light in them. */}
      {quality === 'high' && <Lights bounds={layout.bounds} shadows={shadows} />}
      {stage && <primitive object={stage.root} />}
    </>
  );
}

function backgroundOf(look: Look, natural: Color): Color {
  return look === 'natural' || look === 'plain' ? natural : NOTHING;
}
