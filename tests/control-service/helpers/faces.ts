import { LIBRARY_ANSWERS, PUBLIC_ANSWERS } from '../../../src/protocol/service/face-answers.ts';
import type { Answer, TestService } from './service.ts';

export type FaceName = 'public' | 'library';

const PREFIXES: Record<FaceName, string> = { public: '', library: '/rcs' };
const ANSWERS = { public: PUBLIC_ANSWERS, library: LIBRARY_ANSWERS };

/** For `describe.each`. */
export const FACES: { face: FaceName; prefix: string }[] = [
  { face: 'public', prefix: PREFIXES.public },
  { face: 'library', prefix: PREFIXES.library },
];

/** One face of a test service, whose answers are read in the form that the contract defines for this face. */
export interface FaceClient {
  send: (method: string, path: string, body?: unknown, key?: string | null) => Promise<Answer>;
  /** Returns the content of an answer of this kind, without the envelope; it must be exactly what the contract defines. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of many shapes and checks the one that it expects.
  read: (kind: keyof typeof PUBLIC_ANSWERS, answer: Answer) => any;
  /** Makes a robot. @returns its id and PIN */
  createRobot: (name?: string) => Promise<{ id: string; pin: string }>;
}

/** @param service may be started later, because it is read at each request */
export function faceClient(face: FaceName, service: () => TestService): FaceClient {
  const client: FaceClient = {
    send: (method, path, body, key) =>
      service().send(method, `${PREFIXES[face]}${path}`, {
        ...(body === undefined ? {} : { body }),
        ...(key === undefined ? {} : { key }),
      }),
    read: (kind, { status, body }) => {
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      ANSWERS[face][kind].parse(body);
      if (face === 'library') return body;
      const { code, result, ...page } = body;
      if (code !== 'ok') throw new Error(`code is ${code}`);
      if (kind === 'robots') return { robots: result, ...page };
      if (kind === 'sessions') return { sessions: result, ...page };
      if (kind === 'links') return { links: result, ...page };
      if (kind === 'api_keys') return { keys: result, ...page };
      if (kind === 'api_key_created') return { key: result, ...page };
      return kind === 'created' ? { robot: result, ...page } : result;
    },
    createRobot: async (name = 'Ada') => {
      const answer = await client.send('POST', '/v1/robots', { name, model: 'simplesim-h1', type: 'virtual' });
      const { robot, pin_code: pin } = client.read('created', answer);
      return { id: robot.id, pin };
    },
  };
  return client;
}
