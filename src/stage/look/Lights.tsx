import { useEffect, useMemo } from 'react';
import { DirectionalLight, Vector3 } from 'three';
import type { SceneLayout } from '../../protocol/scene.ts';
import type { Audience, StageQuality } from '../types.ts';
import { type FarLight, LIGHT_RIG } from './light-rig.ts';

const WHITE = 0xffffff;

/** The light rig of a hall; for people with `high` quality the key casts shadows. */
export function Lights({
  bounds,
  audience,
  quality,
  shadows,
}: {
  bounds: SceneLayout['bounds'];
  audience: Audience;
  quality: StageQuality;
  shadows: boolean;
}) {
  const warm = audience === 'people';
  const rich = warm && quality === 'high';
  const key = useMemo(() => keyLight(bounds, warm, rich), [bounds, warm, rich]);
  const { sky, fills } = LIGHT_RIG;
  useEffect(() => {
    key.castShadow = rich && shadows;
  }, [key, rich, shadows]);
  return (
    <>
      {/* A hemisphere light takes its up from its position: this world's up is z. */}
      <hemisphereLight
        position={[0, 0, 1]}
        color={warm ? sky.peopleSkyColour : sky.skyColour}
        groundColor={warm ? sky.peopleGroundColour : sky.groundColour}
        intensity={rich ? sky.peopleIntensity : sky.intensity}
      />
      <primitive object={key} />
      <primitive object={key.target} />
      {fills.map((light: FarLight) => (
        <directionalLight
          key={light.toward.join()}
          position={[...light.toward]}
          color={warm ? light.peopleColour : WHITE}
          intensity={rich ? light.peopleIntensity : light.intensity}
        />
      ))}
    </>
  );
}

function keyLight(bounds: SceneLayout['bounds'], warm: boolean, rich: boolean): DirectionalLight {
  const { toward, intensity, peopleIntensity, peopleColour } = LIGHT_RIG.key;
  const light = new DirectionalLight(warm ? peopleColour : WHITE, rich ? peopleIntensity : intensity);
  const centre = new Vector3((bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2, 0);
  const radius = Math.hypot(bounds.max[0] - bounds.min[0], bounds.max[1] - bounds.min[1]) / 2;
  light.target.position.copy(centre);
  light.position.copy(centre).addScaledVector(new Vector3(...toward).normalize(), radius * 1.6);
  light.shadow.mapSize.set(2048, 2048);
  light.shadow.bias = -0.0004;
  light.shadow.normalBias = 0.02;
  light.shadow.radius = 4;
  Object.assign(light.shadow.camera, {
    left: -radius,
    right: radius,
    top: radius,
    bottom: -radius,
    near: 0.5,
    far: radius * 3.2,
  });
  return light;
}
