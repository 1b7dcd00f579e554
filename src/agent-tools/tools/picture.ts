import { z } from 'zod';
import { isRecord } from '../../common/schema-texts.ts';
import { CAPTURE_MIN_PX } from '../../protocol/wire/limits.ts';
import { failureOf } from '../failures.ts';
import type { AgentPicture } from '../robot-access.ts';
import { errorOf, round } from '../robot-facts.ts';
import { idText, metres } from '../sentences.ts';
import { answerTool, READS } from '../tool.ts';
import { failed, refused } from '../tool-reply.ts';

const WIDTH_MAX_PX = 960;
const WIDTH_DEFAULT_PX = 640;
const ASPECT = 16 / 9;
/** Clients reject or shrink larger pictures. */
const JPEG_MAX_BYTES = 150_000;
/** A picture that is too large is taken again with the next quality. */
const QUALITIES = [0.7, 0.45, 0.25];

/** `take_picture`. */
export const takePicture = answerTool({
  name: 'take_picture',
  title: 'Take a picture',
  description:
    'A JPEG of what a camera sees now, and the visible entities with ids, boxes in pixels and distances. Cameras: "pov" (the robot\'s head), "topdown" (from above), or others of the scene.',
  hints: READS,
  input: z.strictObject({
    camera: z.string().min(1).max(64).default('pov'),
    width: z.int().min(CAPTURE_MIN_PX).max(WIDTH_MAX_PX).default(WIDTH_DEFAULT_PX).describe('pixels; the height is 9/16 of it'),
  }),
  async answer(context, { camera, width: widthPx }) {
    const { robot } = context;
    const heightPx = Math.max(CAPTURE_MIN_PX, Math.round(widthPx / ASPECT));
    let taken: AgentPicture = { reply: null, jpeg: null };
    for (const quality of QUALITIES) {
      try {
        taken = await robot.takePicture(camera, { widthPx, heightPx, quality });
      } catch (thrown) {
        return refused('CAMERA_UNAVAILABLE', thrown instanceof Error ? thrown.message : String(thrown));
      }
      if (taken.jpeg === null || taken.jpeg.byteLength <= JPEG_MAX_BYTES) break;
    }
    const { jpeg } = taken;
    const reply = isRecord(taken.reply) ? taken.reply : {};
    if (jpeg === null) {
      const error = errorOf(reply);
      return error ? failed(failureOf(error, context)) : refused('INTERNAL', 'The camera sent no picture.');
    }
    const result = isRecord(reply.result) ? reply.result : {};
    const frame = isRecord(result.frame) ? result.frame : {};
    const entities = (Array.isArray(result.entities) ? result.entities.filter(isRecord) : []).map((one) => ({
      id: String(one.entity_id),
      box: (Array.isArray(one.box) ? one.box : []).map((edge) => round(Number(edge), 0)),
      distance_m: round(Number(one.depth_m)),
      visible_percent: Math.round(Number(one.visible_fraction) * 100),
    }));
    const list = entities.map(
      ({ id, box, distance_m, visible_percent }) =>
        `${idText(id)} box [${box.join(', ')}], ${metres(distance_m)} away, ${visible_percent} % visible`,
    );
    const said = `Picture of the camera ${idText(camera)}, ${widthPx} by ${heightPx} pixels, at ${round(Number(frame.sim_time_s ?? 0))} s. ${
      list.length === 0 ? 'No entity is visible in it.' : `Visible: ${list.join('; ')}.`
    } A box is [x, y, width, height] from the upper left corner.`;
    const facts = { said, camera, width: widthPx, height: heightPx, step: frame.step ?? null, entities };
    return { said, facts, isError: false, picture: { jpeg } };
  },
});
