import { LINK_PRESS_PATH, type LinkPress } from '../../../protocol/service/link-press.ts';
import { emergencyStopResultSchema } from '../../../protocol/wire/emergency-stop.ts';
import { outcomeOfService, type PressOutcome, SILENT } from '../../../remote-robot/press.ts';
import { fetchOwn, postOwn } from '../own-server.ts';

/** The platform answers when the runtimes report that the robot is at a standstill, after 8 s at most. */
const ANSWER_WITHIN_MS = 12_000;

/**
 * Presses the emergency stop over HTTP, with the right of an operator's link. It never rejects.
 * @param token of the page, or of its link
 */
export async function pressOverHttp(token: string, fetchFn: typeof fetchOwn = fetchOwn): Promise<PressOutcome> {
  try {
    const asked: LinkPress = { token };
    const init = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), keepalive: true };
    const answer = await postOwn(LINK_PRESS_PATH, asked, init, fetchFn);
    if (!answer.ok) return SILENT;
    const { stop } = (await answer.json()) as { stop?: unknown };
    // The link has no right to press there, now or later.
    if (stop === null) return { status: 'refused', problem: null, isFinal: true };
    const read = emergencyStopResultSchema.safeParse(stop).data;
    return read ? outcomeOfService(read) : SILENT;
  } catch {
    return SILENT;
  }
}
