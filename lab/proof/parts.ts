import type { ProofName } from '../../scripts/docs/proof-catalogue.ts';
import { loadQuietly } from '../../src/common/load-quietly.ts';
import type { ProofPart } from './part.ts';

const PARTS: Record<ProofName, () => Promise<ProofPart>> = {
  storm: async () => (await import('./storm-part.ts')).stormPart,
  races: async () => (await import('./races-part.ts')).racesPart,
  faults: async () => (await import('./faults-part.ts')).faultsPart,
  replays: async () => (await import('./replays-part.ts')).replaysPart,
  tasks: async () => (await import('./tasks-part.ts')).tasksPart,
  kills: async () => (await import('./kills-part.ts')).killsPart,
  http: async () => (await import('./http-part.ts')).httpPart,
  calls: async () => (await import('./calls-part.ts')).callsPart,
  'sfu-calls': async () => (await import('./sfu-calls-part.ts')).sfuCallsPart,
  envelopes: async () => (await import('./envelopes-part.ts')).envelopesPart,
  reloads: async () => (await import('./reloads-part.ts')).reloadsPart,
  handovers: async () => (await import('./handovers-part.ts')).handoversPart,
  soak: async () => (await import('./soak-part.ts')).soakPart,
  'agent-stops': async () => (await import('./agent-stops-part.ts')).agentStopsPart,
  'agent-once': async () => (await import('./agent-once-part.ts')).agentOncePart,
  'agent-progress': async () => (await import('./agent-progress-part.ts')).agentProgressPart,
  'agent-views': async () => (await import('./agent-views-part.ts')).agentViewsPart,
  'agent-exam': async () => (await import('./agent-exam-part.ts')).agentExamPart,
  'agent-memory': async () => (await import('./agent-memory-part.ts')).agentMemoryPart,
};

/** Loads a part when it runs, because only some parts need a browser or an SFU. */
export const loadPart = (name: ProofName): Promise<ProofPart> => loadQuietly(process.env, PARTS[name]);
