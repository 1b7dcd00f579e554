import { z } from 'zod';
import { type EmergencyStopResult, keptReason } from '../wire/emergency-stop.ts';
import { TOKEN_MAX_LENGTH } from '../wire/limits.ts';

/**
 * The address at which an operator's page presses the emergency stop over HTTP. The page has no API key: the token of its link,
 * or the token that it received in exchange, gives the right to press this robot's stop and to nothing else here.
 */
export const LINK_PRESS_PATH = '/watch/emergency-stop';

export const linkPressSchema = z.strictObject({
  token: z.string().max(TOKEN_MAX_LENGTH),
  reason: z
    .unknown()
    .optional()
    .transform((reason) => keptReason(reason)?.replaceAll('\0', '') ?? null),
});
export type LinkPress = z.input<typeof linkPressSchema>;
export type LinkPressAsked = z.output<typeof linkPressSchema>;

/** The platform's answer; null if the token gives no right to it. */
export interface LinkPressAnswer {
  stop: EmergencyStopResult | null;
}
