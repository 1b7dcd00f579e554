import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAccount, openVisit, readAll } from '../../src/viewer/robots/account.ts';
import { linkText } from '../../src/viewer/robots/link-texts.ts';
import { copyLater, openTab, type TabOpener } from '../../src/viewer/robots/open-tab.ts';
import { visitorLink } from '../../src/viewer/robots/room-link.ts';
import { fakeFetch, TOKEN } from '../client/helpers/fake-fetch.ts';

const EXPIRES_AT = '2030-01-01T04:00:00.000Z';
describe('links of the robots’ page', () => {
  it.each([
    ['drive', 'operator'],
    ['watch', 'watcher'],
  ] as const)('a link to %s requests only those permissions, under a unique name', async (access, kind) => {
    const { fetch, seen } = fakeFetch({ body: { ...TOKEN, expires_at: EXPIRES_AT } });
    const account = openAccount('sk_live_x', 'http://h/rcs', fetch);
    const made = [await openVisit(account, 'a/b', access), await openVisit(account, 'a/b', access)];
    expect(made[0]).toEqual({ roomKey: expect.stringMatching(/^k1~/), expiresAt: EXPIRES_AT });
    const [first, second] = seen;
    expect([first?.method, first?.url]).toEqual(['POST', 'http://h/rcs/v1/robots/a%2Fb/session/participant-token']);
    expect(first?.body).toMatchObject({
      access,
      participant_name: expect.stringMatching(new RegExp(`^${kind} [0-9a-f]{4}$`)),
      participant_identity: expect.stringMatching(`^${kind}-[0-9a-f]{32}$`),
    });
    expect(first?.body).not.toEqual(second?.body);
    expect(visitorLink('http://h/sim/', 'k1~a~b')).toBe('http://h/sim/#key=k1~a~b');
  });

  it('links are read page by page', async () => {
    const link = (id: string) => ({
      id,
      access: 'watch',
      participant_identity: 'watcher-1',
      participant_name: 'watcher',
      created_at: EXPIRES_AT,
      expires_at: EXPIRES_AT,
    });
    const { fetch, seen } = fakeFetch(
      { body: { links: [link('l1')], next_id: 'l1', total: 2 } },
      { body: { links: [link('l2')], next_id: null, total: 2 } },
    );
    const account = openAccount('sk_live_x', 'http://h/rcs', fetch);
    const read = await readAll(
      (page) => account.robots.listLinks('a/b', page),
      (page) => page.links,
    );
    expect(read).toMatchObject({ ok: true, value: [{ id: 'l1' }, { id: 'l2' }] });
    const address = 'http://h/rcs/v1/robots/a%2Fb/session/links';
    expect(seen.map(({ url }) => url)).toEqual([`${address}?limit=100`, `${address}?limit=100&after_id=l1`]);
  });

  it('links show their lifetime and what they allow', () => {
    const now = Date.parse('2030-01-01T00:00:00.000Z');
    expect(linkText('watch', EXPIRES_AT, now)).toMatch(/cannot control the robot\. It ends in 4 h, at \d\d:\d\d, or with/);
    expect(linkText('drive', EXPIRES_AT, now)).toMatch(/drive and stop the robot.*in 4 h/);
    expect(linkText('drive', '2030-01-01T00:30:00.000Z', now)).toContain('in 30 min');
    expect(linkText('drive', 'soon', now)).toContain('when the service ends it');
  });
});

describe('a new tab', () => {
  const opener = (isActive: boolean | undefined, isInFront: boolean) => {
    const opened: string[][] = [];
    const page: TabOpener = {
      document: { hasFocus: () => isInFront, visibilityState: isInFront ? 'visible' : 'hidden' },
      navigator: isActive === undefined ? {} : { userActivation: { isActive } },
      open: (...args) => void opened.push(args),
      setTimeout: (run) => run(),
    };
    return { page, opened };
  };

  it('a new tab has no access to the opening page', async () => {
    const { page, opened } = opener(true, false);
    expect(await openTab(page, 'http://h/#key=k')).toBe('opened');
    expect(opened).toEqual([['http://h/#key=k', '_blank', 'noopener,noreferrer']]);
  });

  it('a new tab is not requested if the press is too old, because the browser would block it', async () => {
    const { page, opened } = opener(false, true);
    expect(await openTab(page, 'http://h')).toBe('needs-press');
    expect(opened).toEqual([]);
  });

  it.each([true, undefined])('a tab that does not come to the front may have been blocked (activation %s)', async (isActive) => {
    expect(await openTab(opener(isActive, true).page, 'http://h')).toBe('unseen');
  });
});

describe('copying a link that is still being made', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('copying asks the browser at the press', async () => {
    const written: unknown[] = [];
    vi.stubGlobal(
      'ClipboardItem',
      class {
        readonly parts: Record<string, Promise<Blob>>;
        constructor(parts: Record<string, Promise<Blob>>) {
          this.parts = parts;
        }
      },
    );
    const clipboard = { write: async (items: unknown[]) => void written.push(...items) } as unknown as Clipboard;
    let made: (text: string) => void = () => {};
    const copied = copyLater(clipboard, new Promise<string>((resolve) => (made = resolve)));
    expect(written).toHaveLength(1);
    made('the link');
    await copied;
    const [item] = written as { parts: Record<string, Promise<Blob>> }[];
    expect(await (await item?.parts['text/plain'])?.text()).toBe('the link');
  });

  it('copying writes text in older browsers, and rejects without a clipboard', async () => {
    const written: string[] = [];
    const clipboard = { writeText: async (text: string) => void written.push(text) } as unknown as Clipboard;
    await copyLater(clipboard, Promise.resolve('the link'));
    expect(written).toEqual(['the link']);
    await expect(copyLater(undefined, Promise.resolve('x'))).rejects.toThrow('no clipboard');
  });
});
