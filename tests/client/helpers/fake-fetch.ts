/** One request as the service would see it. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
}

type Fetch = typeof globalThis.fetch;
type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Error | 'never';

/** A fetch that returns the answers in order (the last one for ever) and records the requests. */
export function fakeFetch(...answers: Answer[]): { fetch: Fetch; seen: SeenRequest[] } {
  const seen: SeenRequest[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const answer = answers[Math.min(seen.length, answers.length - 1)] ?? {};
    seen.push({
      method: init.method ?? 'GET',
      url: String(input),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    });
    if (answer === 'never') {
      const { signal } = init;
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
    }
    if (answer instanceof Error) throw answer;
    const { status = 200, body, headers = {} } = answer;
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  };
  return { fetch, seen };
}

export const ROBOT = {
  id: 'r1',
  model: 'm1',
  name: 'Robot',
  type: 'virtual',
  description: '',
  language: 'en',
  voice: 'kokoro',
  team_id: 'a1',
  organization_id: 'a1',
  created_by: 'a1',
  public_key: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

export const SESSION = {
  room_name: 'robot-r1',
  livekit_url: 'ws://127.0.0.1:7880',
  participant_token: 'token-that-is-secret',
  room_metadata: {
    robot_id: 'r1',
    status: 'active',
    required_participants: { 'simplesim:r1': { min_count: 1 } },
    dispatches: {},
    dispatched_agent_names: [],
    scene_id: null,
    created_at: '2030-01-01T00:00:00.000Z',
  },
};

export const TOKEN = {
  room_name: 'robot-r1',
  livekit_url: 'ws://127.0.0.1:7880',
  participant_token: 'aaa.bbb.ccc',
  participant_identity: 'simplesim:r1',
  expires_at: '2030-01-01T04:00:00.000Z',
};
