import type { RobotEnd } from '../../protocol/room/robot-end.ts';
import { readSfuAnswer } from '../../protocol/room/sfu-answer.ts';
import type { Place } from '../robot-messages.ts';

/** The SFU's answer about a place before the robot takes it; `welcome` when unsure, because the join itself decides. */
export type Probed = { kind: 'welcome' } | { kind: 'unreachable' } | { kind: 'refused'; end: RobotEnd };

const PROBE_MAX_MS = 5_000;

/** Asks the SFU whether it would admit the robot to this place. Its answer to a failed join is text without distinct cases. */
export async function probePlace({ sfuUrl, token }: Place): Promise<Probed> {
  const origin = sfuUrl.replace(/^ws/i, 'http').replace(/\/+$/, '');
  try {
    const response = await fetch(`${origin}/rtc/validate`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PROBE_MAX_MS),
    });
    const answer = readSfuAnswer(response.status, await response.text());
    return answer === 'welcome' || answer === 'unreachable' ? { kind: answer } : { kind: 'refused', end: answer };
  } catch {
    return { kind: 'unreachable' };
  }
}
