import type { HeartbeatClock } from '../protocol/room/room-heartbeat.ts';
import {
  type Counting,
  IDENTITY_ANSWER_WITHIN_MS,
  IDENTITY_LISTED_WITHIN_MS,
  type PersonInRoom,
  whoseSession,
} from '../protocol/room/sfu-session.ts';

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

export interface ResumeGuard {
  /**
   * Whether another participant of this name now has the place. Also false if the server does not answer. Call it after LiveKit
   * has given up the place.
   */
  isTakenOver(place: HeldPlace, counting?: Counting): Promise<boolean>;
}

/**
 * Lets a resume through only into the tab's own session ({@link whoseSession}): its answer waits until the server has named the
 * owner of the session. A resume into another's session never ends and nothing is sent, because it would count as sent by the other;
 * `onTakenOver` is called.
 */
export function guardResume<Answer>(
  engine: ResumingEngine<Answer>,
  identity: string,
  clock: Pick<HeartbeatClock, 'after'>,
  onTakenOver: () => void,
): ResumeGuard {
  const { client } = engine;
  const reconnect = client.reconnect.bind(client);

  /** Returns the answer to a resume, or null when the session is another's. */
  async function ask(
    [url, token, sid, reason]: Parameters<typeof reconnect>,
    counting?: Counting,
  ): Promise<{ answer: Answer } | null> {
    let settle: (isOwn: boolean) => void = () => {};
    const listed = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const onUpdate = (people: PersonInRoom[]): void => {
      const whose = whoseSession(people, { identity, sid: sid ?? '' }, counting);
      if (whose !== null) settle(whose === 'own');
    };
    engine.on('participantUpdate', onUpdate);
    let stopWaiting = (): void => {};
    try {
      const answer = await reconnect(url, token, sid, reason);
      stopWaiting = clock.after(IDENTITY_LISTED_WITHIN_MS, () => settle(true));
      return (await listed) ? { answer } : null;
    } finally {
      stopWaiting();
      engine.off('participantUpdate', onUpdate);
    }
  }

  client.reconnect = async (...request) => {
    const own = await ask(request);
    if (own) return own.answer;
    void client.close();
    onTakenOver();
    return new Promise<never>(() => {});
  };
  return {
    async isTakenOver({ url, token, sid }, counting) {
      let stopWaiting = (): void => {};
      const late = new Promise<false>((resolve) => {
        stopWaiting = clock.after(IDENTITY_ANSWER_WITHIN_MS, () => resolve(false));
      });
      // A rejected resume means that no participant of this name is there.
      const asked = ask([url, token, sid], counting).then(
        (own) => own === null,
        () => false,
      );
      const isTaken = await Promise.race([asked, late]);
      stopWaiting();
      await client.close();
      return isTaken;
    },
  };
}
