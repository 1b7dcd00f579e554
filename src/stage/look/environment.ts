import { BackSide, BoxGeometry, Mesh, MeshBasicMaterial, PMREMGenerator, Scene, type Texture, type WebGLRenderer } from 'three';

/**
 * Makes the room that shiny things mirror: plain and bright, with windows along its sides and lamps above, filtered for
 * roughness. z is up. The caller disposes the texture.
 */
export function createEnvironment(renderer: WebGLRenderer): { texture: Texture; dispose(): void } {
  const scene = new Scene();
  const box = new BoxGeometry(1, 1, 1);
  const made: MeshBasicMaterial[] = [];
  const add = (grey: number, size: [number, number, number], at: [number, number, number], inside = false): void => {
    const material = new MeshBasicMaterial({ side: inside ? BackSide : 0 });
    material.color.setRGB(grey, grey, grey * 0.985);
    made.push(material);
    const mesh = new Mesh(box, material);
    mesh.scale.set(...size);
    mesh.position.set(...at);
    scene.add(mesh);
  };
  add(0.55, [20, 24, 10], [0, 0, 3], true);
  add(0.3, [19, 23, 0.2], [0, 0, -1.6]);
  for (const side of [-1, 1]) {
    add(5, [0.2, 16, 1.4], [side * 9.6, 0, 3.6]);
    add(4, [12, 0.2, 1.2], [0, side * 11.6, 3.6]);
    for (const y of [-6, 0, 6]) add(7, [3, 0.5, 0.1], [side * 3.5, y, 7]);
  }
  const generator = new PMREMGenerator(renderer);
  const target = generator.fromScene(scene, 0.03);
  generator.dispose();
  box.dispose();
  for (const material of made) material.dispose();
  return { texture: target.texture, dispose: () => target.dispose() };
}
