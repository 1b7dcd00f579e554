import { RpcError } from '@livekit/rtc-node';

/**
 * Asks several times, one after the other, over a link that loses packets. LiveKit gives up a call that is not
 * acknowledged within 7 s, and a packet that is lost three times in a row takes longer. Such calls are not counted.
 * @returns the answers
 * @throws Error if no answer came
 */
export async function askOverLosses<Answer>(times: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let asked = 0; asked < times; asked += 1) {
    try {
      answers.push(await ask());
    } catch (thrown) {
      if (!(thrown instanceof RpcError) || thrown.code !== RpcError.ErrorCode.CONNECTION_TIMEOUT) throw thrown;
    }
  }
  if (answers.length === 0) throw new Error(`None of ${times} calls was answered.`);
  return answers;
}
