import type { BeatClock } from '../protocol/room-heartbeat.ts';

/** What the guard needs of LiveKit's engine. */
export interface ResumingEngine<Answer> {
  client: {
    /** Takes up the session of `sid` again. */
    reconnect(url: string, token: string, sid?: string, reason?: number): Promise<Answer>;
    close(): Promise<void>;
  };
  on(event: 'participantUpdate', listener: (people: PersonInRoom[]) => void): unknown;
  off(event: 'participantUpdate', listener: (people: PersonInRoom[]) => void): unknown;
}

export interface PersonInRoom {
  identity: string;
  sid: string;
  /** LiveKit's number of it. */
  state: number;
}

/** Place in a room, and the session that was held there. */
export interface HeldPlace {
  url: string;
  token: string;
  sid: string;
}

export interface ResumeGuard {
  /** Is another of this name in the place by now? False as well when the server does not say. For when LiveKit has let go of it. */
  isTakenOver(place: HeldPlace): Promise<boolean>;
}

/** `ParticipantInfo_State.DISCONNECTED`, which livekit-client does not hand on. */
const DISCONNECTED = 3;
/** The server tells who is in the room right after its answer; one that does not is trusted after this. */
const TOLD_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Lets a resume through only into the tab's own session. The server resumes by identity alone, whatever the session: a tab that was
 * put out by another of its name and did not hear so would get hold of the other's session, break it with its own offers, and
 * throw the other out when those come to nothing. So the answer to a resume waits until the server has said whose session it is.
 * Into another's session the resume never ends and nothing is sent, for it would be taken for the other's; `onTakenOver` is called.
 */
export function guardResume<Answer>(
  engine: ResumingEngine<Answer>,
  identity: string,
  clock: Pick<BeatClock, 'after'>,
  onTakenOver: () => void,
): ResumeGuard {
  const { client } = engine;
  const reconnect = client.reconnect.bind(client);

  /** The answer to a resume, or null when the session is another's. */
  async function ask(...[url, token, sid, reason]: Parameters<typeof reconnect>): Promise<{ answer: Answer } | null> {
    let tell: (isOwn: boolean) => void = () => {};
    const told = new Promise<boolean>((resolve) => {
      tell = resolve;
    });
    const onUpdate = (people: PersonInRoom[]): void => {
      // The session that was put out may be told as gone in the same breath.
      const holders = people.filter((each) => each.identity === identity && each.state !== DISCONNECTED);
      if (holders.length > 0) tell(holders.every((holder) => holder.sid === sid));
    };
    engine.on('participantUpdate', onUpdate);
    let stopWaiting = (): void => {};
    try {
      const answer = await reconnect(url, token, sid, reason);
      stopWaiting = clock.after(TOLD_WITHIN_MS, () => tell(true));
      return (await told) ? { answer } : null;
    } finally {
      stopWaiting();
      engine.off('participantUpdate', onUpdate);
    }
  }

  client.reconnect = async (...request) => {
    const own = await ask(...request);
    if (own) return own.answer;
    void client.close();
    onTakenOver();
    return new Promise<never>(() => {});
  };
  return {
    async isTakenOver({ url, token, sid }) {
      let stopWaiting = (): void => {};
      const late = new Promise<false>((resolve) => {
        stopWaiting = clock.after(ANSWER_WITHIN_MS, () => resolve(false));
      });
      // A refused resume says that nobody of this name is there.
      const asked = ask(url, token, sid).then(
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
