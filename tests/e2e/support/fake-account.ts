import type { Page } from '@playwright/test';
import type { LibraryRobot, Robot } from '../../../src/protocol/service/control-service.ts';
import type { RuntimeSummary, SessionState } from '../../../src/protocol/service/session-state.ts';

/** The service's answers for an account with many robots. */
export interface FakeAccount {
  robots: LibraryRobot[];
  sessions: SessionState[];
  /** The paths that were asked for. */
  readonly asked: string[];
}

const OPENED_AT = '2030-01-01T00:00:00.000Z';

export const fakeRobot = (index: number, more: Partial<Robot> = {}): LibraryRobot => ({
  id: `robot-${String(index).padStart(3, '0')}`,
  name: `Robot ${index}`,
  model: 'simplesim-humanoid-1',
  type: 'virtual',
  description: '',
  language: 'en',
  voice: 'kokoro',
  team_id: 'a1',
  organization_id: 'a1',
  created_by: 'a1',
  created_at: OPENED_AT,
  updated_at: OPENED_AT,
  ...more,
});

/** A session whose runtime reports this. @param isAgent whether a worker is the robot */
export function fakeSession({ id }: Robot, state: Partial<RuntimeSummary> | null, isAgent = false): SessionState {
  const runtime = { identity: `simplesim:${id}`, name: '', is_agent: isAgent, joined_at: OPENED_AT };
  const ready: RuntimeSummary = {
    status: 'ready',
    robot_status: 'ready',
    is_stopped: false,
    active_action: null,
    last_action: null,
    driver: null,
    scene_id: 'warehouse',
    place: { x_m: 0.4, y_m: -1.5, yaw_deg: 0, age_ms: 500 },
    held_entity_ids: [],
  };
  return {
    robot_id: id,
    phase: 'open',
    opened_at: OPENED_AT,
    participants: [runtime],
    participant_count: 1,
    runtime: { ...runtime, state: state && { ...ready, ...state } },
  };
}

/** Answers the page in the place of the service, and shows it the robots. What the account holds may change later. */
export async function showFakeAccount(page: Page, robots: LibraryRobot[], sessions: SessionState[]): Promise<FakeAccount> {
  const account: FakeAccount = { robots, sessions, asked: [] };
  await page.route('**/rcs/v1/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    account.asked.push(pathname);
    const isRobots = pathname === '/rcs/v1/robots';
    const all = isRobots ? account.robots : account.sessions;
    const idOf = (one: Robot | SessionState) => ('robot_id' in one ? one.robot_id : one.id);
    const rest = all.filter((one) => idOf(one) > (searchParams.get('after_id') ?? ''));
    const found = rest.slice(0, 100);
    const last = found.at(-1);
    const next_id = rest.length > 100 && last ? idOf(last) : null;
    await route.fulfill({ json: { [isRobots ? 'robots' : 'sessions']: found, next_id, total: all.length } });
  });
  await page.getByLabel('API key').fill('sk_live_of-this-test');
  await page.keyboard.press('Enter');
  return account;
}
