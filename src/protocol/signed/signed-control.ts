/** Signed control (docs/protocol.md, "Signed control"): grants, envelopes, and a runtime's checks of them. */
export * from './signed-claims.ts';
export {
  createEnvelopeMemory,
  type EnvelopeMemory,
  type OpenedEnvelope,
  type OpeningContext,
  openEnvelope,
} from './signed-opening.ts';
export { createReplayMemory, type ReplayMemory, type SequenceVerdict } from './signed-replay.ts';
export * from './signed-sealing.ts';
