import { z } from 'zod';
import { droppedSchema } from '../protocol/wire/dropped.ts';
import type { SkillReply } from './robot-access.ts';
import { idText, metres } from './sentences.ts';

const notedSchema = z.looseObject({
  dropped: droppedSchema.optional().catch(undefined),
  applied: z.object({ vx: z.number(), vy: z.number(), wz: z.number() }).optional().catch(undefined),
});

/** Returns what a success has besides, in sentences. The robot's own note names the fields of its reply. */
export function resultNotes({ result = {}, meta }: SkillReply): string[] {
  const { dropped, applied } = notedSchema.parse(result);
  const notes: string[] = [];
  if (dropped) {
    const [x, y, z] = dropped.position;
    notes.push(
      `The robot dropped ${idText(dropped.entity_id)} meanwhile, now at x ${metres(x)}, y ${metres(y)}, z ${metres(z)}.`,
    );
  }
  if (meta?.degraded === true && applied) {
    const { vx, vy, wz } = applied;
    notes.push(`The speed was limited to vx ${vx.toFixed(2)} m/s, vy ${vy.toFixed(2)} m/s, wz ${wz.toFixed(2)} rad/s.`);
  }
  return notes.length > 0 || !meta?.note ? notes : [meta.note];
}
