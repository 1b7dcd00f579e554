/**
 * `platform-robot-sdk`: control of a robot over the platform's HTTP interface, and live in its room. Works in Node and in
 * browsers.
 */

export type { CancelsRepeated, ControlAsked, DriverChanged } from '../protocol/room/room-events.ts';
export type { ApiKey } from '../protocol/service/api-keys.ts';
export type { SemanticCommand, UpdateRobotRequest } from '../protocol/service/control-requests.ts';
export type {
  ControlGrant,
  ControlOrderResult,
  LibraryRobot,
  LibrarySession,
  ParticipantToken,
  RoomMetadata,
} from '../protocol/service/control-service.ts';
export type { SessionLink } from '../protocol/service/session-links.ts';
export type { SessionState } from '../protocol/service/session-state.ts';
export type { CameraId, CaptureFrame } from '../protocol/wire/captures.ts';
export type { Driver, DriverChange, DriverFacts, DriverKind } from '../protocol/wire/driver.ts';
export type { EmergencyStopResult } from '../protocol/wire/emergency-stop.ts';
export type { Pose } from '../protocol/wire/geometry.ts';
export type { EntityState, SceneLayout, SceneState } from '../protocol/wire/scene.ts';
export type { SkillDescriptor } from '../protocol/wire/skill-descriptors.ts';
export type { SkillCall, SkillName, SkillOutput } from '../protocol/wire/skills.ts';
export type { RuntimeState } from '../protocol/wire/state.ts';
export type { Action } from './action.ts';
export type {
  ActionAccepted,
  ActionDone,
  ActionEnded,
  ActionError,
  ActionEvent,
  ActionFailed,
  ActionResult,
  ActionResultMeta,
  ActionRunning,
} from './action-result.ts';
export type { ApiKeyPage, ApiKeys, CreateApiKeyOptions, CreatedApiKey } from './api-keys.ts';
export { Client } from './client.ts';
export { connect } from './connect.ts';
export type {
  ConnectCallbacks,
  ConnectOptions,
  JoinRoomOptions,
  KindOf,
  RoomOptions,
  SignControl,
} from './connect-options.ts';
export type { ControlLease, LeaseEnd, TakeControlOptions, TakeOverOptions } from './control-lease.ts';
export {
  EmergencyStopError,
  type EmergencyStopOptions,
  type EmergencyStopped,
  type StopPath,
  type StopPaths,
} from './emergency-stop.ts';
export {
  NotControllerError,
  PlatformAPIError,
  PlatformConnectionError,
  PlatformNotAvailableError,
  PlatformSDKError,
  RcwRuntimeError,
  TimeoutError,
} from './errors.ts';
export { findRoomKey } from './find-room-key.ts';
export { joinRoom } from './join-room.ts';
export type { ClientOptions, Logger, RequestOptions } from './options.ts';
export type { Place } from './place.ts';
export type {
  ControlGrantOptions,
  CreatedRobot,
  CreateSessionOptions,
  LinkPage,
  NewRobot,
  OrderControlOptions,
  ParticipantTokenOptions,
  RobotPage,
  Robots,
  SessionCommandOptions,
  SessionPage,
} from './robots.ts';
export {
  generateRoomKey,
  generateRoomKeyUrl,
  getSessionViewerUrl,
  type RoomKeyOptions,
  type RoomKeyUrlOptions,
} from './room-keys.ts';
export type { PlatformSession } from './session.ts';
export type {
  CallOptions,
  DisconnectOptions,
  InvokeOptions,
  SceneFilter,
  States,
  VisionsOptions,
} from './session-options.ts';
export type { DriveOptions, GoToOptions, PlaceOptions, SetHeadOptions, SkillShortcuts } from './shortcuts.ts';
export type { AnySkill, ParamsOf, ResultOf, RobotKind, WorkerSkillName } from './skill-types.ts';
export type { CallFailureReason, IncomingPacket, IncomingStream, RoomListener, RoomTransport } from './transport.ts';
export { type ArmPose, STANDING_POSE, type UpperBodyOptions, type UpperBodyStream } from './upper-body.ts';
export type { Vision, VisionOptions } from './vision.ts';
export { generateOperatorUrl, generateWatchUrl, type VisitorUrlOptions } from './visitor-links.ts';

/** Version of the library. It follows the platform's 0.2 series. */
export const VERSION = '0.2.0';
