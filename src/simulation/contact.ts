import type RAPIER from '@dimforge/rapier3d-compat';
import { difference, rotate } from './quaternion.ts';

/** How two colliders meet: the gap between them and the direction from the first to the second. */
export interface Contact {
  /** Metres between the surfaces now; negative when they overlap a little. */
  gapM: number;
  /** Unit vector in the world. */
  direction: RAPIER.Vector;
}

/**
 * The closest contact of two colliders that physics has found, or null when it has found none.
 * Rapier keeps contact points while two shapes move little against each other, and with them a distance that is out of date;
 * so the gap is measured here between the kept points, where the shapes are now.
 */
export function closestContact(physics: RAPIER.World, first: RAPIER.Collider, second: RAPIER.Collider): Contact | null {
  let closest: Contact | null = null;
  physics.contactPair(first, second, (manifold, flipped) => {
    const [one, other] = flipped ? [second, first] : [first, second];
    const normal = manifold.normal();
    for (let i = 0; i < manifold.numContacts(); i++) {
      const [onOne, onOther] = [manifold.localContactPoint1(i), manifold.localContactPoint2(i)];
      if (!onOne || !onOther) continue;
      const way = difference(toWorld(other, onOther), toWorld(one, onOne));
      const gapM = way.x * normal.x + way.y * normal.y + way.z * normal.z;
      if (closest && closest.gapM <= gapM) continue;
      const sign = flipped ? -1 : 1;
      closest = { gapM, direction: { x: sign * normal.x, y: sign * normal.y, z: sign * normal.z } };
    }
  });
  return closest;
}

/** Returns the closest contact of a collider with any of some others, or null. */
export function closestOf(physics: RAPIER.World, first: RAPIER.Collider, others: readonly RAPIER.Collider[]): Contact | null {
  let closest: Contact | null = null;
  for (const other of others) {
    const contact = closestContact(physics, first, other);
    if (contact && (!closest || contact.gapM < closest.gapM)) closest = contact;
  }
  return closest;
}

function toWorld(collider: RAPIER.Collider, local: RAPIER.Vector): RAPIER.Vector {
  const turned = rotate(collider.rotation(), local);
  const at = collider.translation();
  return { x: at.x + turned.x, y: at.y + turned.y, z: at.z + turned.z };
}
