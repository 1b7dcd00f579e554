import type { BeatClock } from '../protocol/room-heartbeat.ts';
import {
  type Counting,
  type PersonInRoom,
  SEAT_ANSWER_WITHIN_MS,
  SEAT_TOLD_WITHIN_MS,
  whoseSeat,
} from '../protocol/room-seat.ts';

/** The parts of LiveKit's engine that the guard needs. */
export interface ResumingEngine<Answer> {
  client: {
    /** Resumes the session `sid`. */
    reconnect(url: string, token: string, sid?: string, reason?: number): Promise<Answer>;
    close(): Promise<void>;
  };
  on(event: 'participantUpdate', listener: (people: PersonInRoom[]) => void): unknown;
  off(event: 'participantUpdate', listener: (people: PersonInRoom[]) => void): unknown;
}

/** A place in a room, and the session that was held there. */
export interface HeldPlace {
  url: string;
  token: string;
  sid: string;
}

/**
 * Who has a place that this tab has lost.
 * - `other`: another participant of this name
 * - `nobody`: the server says that no other is there
 * - `unknown`: the server does not say
 */
export type SeatFound = 'other' | 'nobody' | 'unknown';

export interface ResumeGuard {
  /** Asks who has the place now. Call it after LiveKit has given up the place. */
  whoHas(place: HeldPlace, counting?: Counting): Promise<SeatFound>;
}

/**
 * Lets a resume through only into the tab's own session ({@link whoseSeat}): its answer waits until the server has said whose
 * session it is. A resume into another's session never ends and nothing is sent, because it would count as sent by the other;
 * `onTakenOver` is called.
 * @param isRefusal whether a resume failed because the server has nobody of this name, and not for want of an answer
 */
export function guardResume<Answer>(
  engine: ResumingEngine<Answer>,
  identity: string,
  clock: Pick<BeatClock, 'after'>,
  onTakenOver: () => void,
  isRefusal: (error: unknown) => boolean,
): ResumeGuard {
  const { client } = engine;
  const reconnect = client.reconnect.bind(client);

  /** Resumes, and returns the answer with whose session it is; null when the server does not say. */
  async function ask(
    [url, token, sid, reason]: Parameters<typeof reconnect>,
    counting?: Counting,
  ): Promise<{ answer: Answer; whose: 'own' | 'other' | null }> {
    let tell: (whose: 'own' | 'other' | null) => void = () => {};
    const told = new Promise<'own' | 'other' | null>((resolve) => {
      tell = resolve;
    });
    const onUpdate = (people: PersonInRoom[]): void => {
      const whose = whoseSeat(people, { identity, sid: sid ?? '' }, counting);
      if (whose !== null) tell(whose);
    };
    engine.on('participantUpdate', onUpdate);
    let stopWaiting = (): void => {};
    try {
      const answer = await reconnect(url, token, sid, reason);
      stopWaiting = clock.after(SEAT_TOLD_WITHIN_MS, () => tell(null));
      return { answer, whose: await told };
    } finally {
      stopWaiting();
      engine.off('participantUpdate', onUpdate);
    }
  }

  client.reconnect = async (...request) => {
    const { answer, whose } = await ask(request);
    if (whose !== 'other') return answer;
    void client.close();
    onTakenOver();
    return new Promise<never>(() => {});
  };
  return {
    async whoHas({ url, token, sid }, counting) {
      let stopWaiting = (): void => {};
      const late = new Promise<SeatFound>((resolve) => {
        stopWaiting = clock.after(SEAT_ANSWER_WITHIN_MS, () => resolve('unknown'));
      });
      const asked = ask([url, token, sid], counting).then(
        ({ whose }): SeatFound => (whose === null ? 'unknown' : whose === 'other' ? 'other' : 'nobody'),
        (error: unknown): SeatFound => (isRefusal(error) ? 'nobody' : 'unknown'),
      );
      const found = await Promise.race([asked, late]);
      stopWaiting();
      await client.close();
      return found;
    },
  };
}
