/** `platform-robot-sdk`: a robot over the platform's HTTP interface, and live in its room. Works in Node and in browsers. */
export type { CameraId, CaptureFrame } from '../protocol/captures.ts';
export type {
  LibraryRobot,
  LibrarySession,
  ParticipantToken,
  RoomMetadata,
  SemanticCommand,
  UpdateRobotRequest,
} from '../protocol/control-service.ts';
export type { Pose } from '../protocol/geometry.ts';
export type { EntityState, SceneLayout, SceneState } from '../protocol/scene.ts';
export type { SkillCall, SkillDescriptor, SkillName, SkillOutput } from '../protocol/skills.ts';
export type { RuntimeState } from '../protocol/state.ts';
export type { ActionDone, ActionError, ActionEvent, ActionFailed, ActionResult, ActionResultMeta } from './action-result.ts';
export { Client } from './client.ts';
export { type ConnectCallbacks, type ConnectOptions, connect } from './connect.ts';
export {
  PlatformAPIError,
  PlatformConnectionError,
  PlatformNotAvailableError,
  PlatformSDKError,
  RcwRuntimeError,
  TimeoutError,
} from './errors.ts';
export type { RequestOptions } from './http.ts';
export type { CreatedRobot, CreateSessionOptions, NewRobot, ParticipantTokenOptions, RobotPage, Robots } from './robots.ts';
export {
  generateRoomKey,
  generateRoomKeyUrl,
  getSessionViewerUrl,
  type RoomKeyOptions,
  type RoomKeyUrlOptions,
} from './room-keys.ts';
export type {
  AnySkill,
  CallOptions,
  InvokeOptions,
  ParamsOf,
  PlatformSession,
  ResultOf,
  SceneFilter,
  States,
} from './session.ts';
export type { ClientOptions, Logger } from './settings.ts';
export { shutdownRealtime } from './transport/load-transport.ts';
export type { CallFailureReason, IncomingStream, RoomListener, RoomTransport } from './transport/room-transport.ts';
export type { Vision, VisionOptions } from './vision.ts';

/** Version of the library; it follows the platform's 0.2 series. */
export const VERSION = '0.2.0';
