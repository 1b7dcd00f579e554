import { useEffect, useMemo } from 'react';
import { DirectionalLight, Vector3 } from 'three';
import type { SceneLayout } from '../../protocol/wire/scene.ts';
import { type FarLight, LIGHT_RIG } from './light-rig.ts';

/** The light rig of a scene as people see it with `high` quality. The key light may cast shadows. */
export function Lights({ bounds, shadows }: { bounds: SceneLayout['bounds']; shadows: boolean }) {
  const key = useMemo(() => keyLight(bounds), [bounds]);
  const { sky, fills } = LIGHT_RIG;
  useEffect(() => {
    key.castShadow = shadows;
  }, [key, shadows]);
  return (
    <>
      {/* A hemisphere light takes its up direction from its position. This world's up is z. */}
      <hemisphereLight
        position={[0, 0, 1]}
        color={sky.peopleSkyColour}
        groundColor={sky.peopleGroundColour}
        intensity={sky.peopleIntensity}
      />
      <primitive object={key} />
      <primitive object={key.target} />
      {fills.map((light: FarLight) => (
        <directionalLight
          key={light.toward.join()}
          position={[...light.toward]}
          color={light.peopleColour}
          intensity={light.peopleIntensity}
        />
      ))}
    </>
  );
}

function keyLight(bounds: SceneLayout['bounds']): DirectionalLight {
  const { toward, peopleIntensity, peopleColour } = LIGHT_RIG.key;
  const light = new DirectionalLight(peopleColour, peopleIntensity);
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
