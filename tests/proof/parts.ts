import type { ProofName } from '../../scripts/docs/proof-catalogue.ts';
import type { ProofPart } from './part.ts';

/** Every part that there is, loaded when it is run: browsers and SFUs are no matter of the others. */
export const PROOF_PARTS: Partial<Record<ProofName, () => Promise<ProofPart>>> = {
  storm: async () => (await import('./storm-part.ts')).stormPart,
  races: async () => (await import('./races-part.ts')).racesPart,
  replays: async () => (await import('./replays-part.ts')).replaysPart,
  kills: async () => (await import('./kills-part.ts')).killsPart,
  http: async () => (await import('./http-part.ts')).httpPart,
  calls: async () => (await import('./calls-part.ts')).callsPart,
  envelopes: async () => (await import('./envelopes-part.ts')).envelopesPart,
};
