import { errorFacts } from '../../common/error-facts.ts';
import { type RobotEnd, withoutPage } from '../../protocol/room/robot-end.ts';
import { OUT_OF_REACH } from '../../protocol/texts/rcw-texts.ts';
import { NOT_IN_ROOM } from '../../protocol/texts/room-texts.ts';
import { createCallDeduplicator } from '../../protocol/wire/call-deduplicator.ts';
import { runtimeIdentity } from '../../protocol/wire/identity.ts';
import { sessionSceneOf } from '../../protocol/wire/session-scene.ts';
import type { Runtime, RuntimeDeps } from '../../runtime/runtime.ts';
import type { Scenes } from '../../simulation/scene.ts';
import type { Log } from '../log.ts';
import type { FreshKey, RobotOrder } from '../robot-messages.ts';
import { readRoomFacts } from '../room-facts.ts';
import { type Body, createBody } from './body.ts';
import type { BodyPictures } from './body-cameras.ts';
import { type Membership, openMembership } from './membership.ts';
import { atMost } from './wait.ts';

/** A robot in its room, from its start to its end. */
export interface LiveRobot {
  /** Settles when it has stopped, left its room and freed its world. */
  readonly over: Promise<RobotEnd>;
  /** The room may exist again. */
  nudge(): void;
  /** Stops the robot, saves its world, leaves the room and frees the body, once. Settles with `over`. */
  end(why: RobotEnd): Promise<void>;
}

export interface LiveRobotDeps {
  /** The robot has entered its room, first or again. */
  onJoined?(): void;
  /** Returns a newer key for the same place, or null. */
  freshKey(): Promise<FreshKey | null>;
  /** Creates the runtime from the body's dependencies. @default the plain one */
  makeRuntime?: (deps: RuntimeDeps) => Runtime;
  /** The scenes that it can be in. @default the built-in ones */
  scenes?: Scenes | undefined;
  /** The renderer of its cameras. @default nothing: it has no cameras */
  pictures?: BodyPictures | null;
  log: Log;
}

/** A body that does not end is abandoned after this time. */
const FREE_MAX_MS = 1_000;

/** Starts a robot: its body, and its membership in its room. */
export function startLiveRobot(
  order: RobotOrder,
  { onJoined, freshKey, makeRuntime, scenes, pictures = null, log }: LiveRobotDeps,
): LiveRobot {
  const { place, profile = 'worker' } = order;
  let ending = false;
  let settle: (end: RobotEnd) => void = () => undefined;
  const over = new Promise<RobotEnd>((resolve) => {
    settle = resolve;
  });
  let membership: Membership | null = null;
  let hearScene: (sceneId: string | null) => void = () => undefined;
  const sessionScene = new Promise<string | null>((resolve) => {
    hearScene = resolve;
  });
  const body: Body = createBody(
    order,
    log,
    {
      report: (event) => membership?.sendEvent(event),
      sendWorld: (packets) => membership?.sendWorld(packets),
      nameOf: (identity) => membership?.nameOf(identity) ?? null,
      async sendJpeg(picture) {
        if (membership === null) throw new Error(NOT_IN_ROOM);
        await membership.sendJpeg(picture);
      },
    },
    { makeRuntime, scenes, sessionScene, pictures },
  );
  membership = openMembership(place, {
    onCall: createCallDeduplicator(
      (call) => body.handle(call),
      () => performance.now(),
    ),
    onMetadata(metadata) {
      const facts = readRoomFacts(metadata);
      // The first scene counts: an existing world stays in its scene.
      hearScene(sessionSceneOf(metadata));
      body.trust(facts.controlKeys);
      if (facts.emergencyStop) body.press(facts.emergencyStop);
      if (facts.ownerOrder) body.obeyOwner(facts.ownerOrder);
      if (facts.robotId !== null && facts.robotId !== place.robotId) void end('wrong_robot');
    },
    onLeft: (identity) => body.noteLeft(identity),
    onWatchers: (update) => body.watchers(update),
    onReachable: () => body.open(),
    onJoined() {
      onJoined?.();
      log({ level: 'info', event: 'robot_joined', identity: runtimeIdentity(profile, place.robotId), room: place.room });
    },
    onLost(why) {
      // The robot is unreachable, so no participant could stop it.
      void body
        .brake(withoutPage(profile, OUT_OF_REACH[why]))
        .then((stands) => log({ level: stands ? 'info' : 'warn', event: 'robot_unreachable', why, stands }));
    },
    freshKey,
    renewsKeys: order.renewsKeys ?? false,
    log,
  });
  membership.over.then((why) => void end(why), broke);
  body.over.catch(broke);

  function broke(thrown: unknown): void {
    log({ level: 'error', event: 'robot_broken', ...errorFacts(thrown) });
    void end('broken');
  }

  /**
   * Stops the robot while it can still answer. Then saves its world, or deletes that of a session that is over, leaves the room,
   * frees the body, and reports that it is over.
   */
  async function end(why: RobotEnd): Promise<void> {
    if (!ending) {
      ending = true;
      hearScene(null);
      const stands = why === 'broken' ? true : await body.brake(withoutPage(profile, 'which ends'), true);
      log({ level: stands ? 'info' : 'warn', event: 'robot_stopped', stands });
      await (why === 'session_deleted' ? body.forget() : body.keep(why !== 'broken'));
      await membership?.leave();
      body.dispose();
      await atMost(
        body.over.catch(() => undefined),
        FREE_MAX_MS,
      );
      settle(why);
    }
    await over;
  }

  return { over, nudge: () => membership?.nudge(), end };
}
