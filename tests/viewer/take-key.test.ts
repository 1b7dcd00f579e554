import { describe, expect, it } from 'vitest';
import { itemsOf, type KeptItems } from '../../src/viewer/engine/browser-storage.ts';
import { type KeyPage, keepKey, takeKey } from '../../src/viewer/engine/tab-storage.ts';

function fakePage(href: string) {
  const items = new Map<string, string>();
  const visited = [href];
  const page: KeyPage & { items: Map<string, string>; kept: KeptItems; visited: string[] } = {
    items,
    kept: itemsOf(() => ({
      getItem: (item) => items.get(item) ?? null,
      setItem: (item, value) => void items.set(item, value),
      removeItem: (item) => void items.delete(item),
    })),
    visited,
    location: {
      get href() {
        return visited.at(-1) ?? '';
      },
    },
    history: {
      state: { kept: true },
      // As a browser does it.
      replaceState(_state, _unused, url) {
        const next = new URL(String(url), visited.at(-1));
        if (next.origin !== new URL(visited.at(-1) ?? '').origin) throw new Error('SecurityError: another origin');
        visited.splice(-1, 1, next.href);
      },
    },
  };
  return page;
}

describe('taking the key out of the address', () => {
  it.each([
    ['query', 'http://localhost:8080/?key=k1~aaa~b.c.d', 'http://localhost:8080/'],
    ['fragment', 'http://localhost:8080/#key=k1~aaa~b.c.d', 'http://localhost:8080/'],
    [
      'both, other parameters stay as they are',
      'http://h/v/?debug&key=SECRET&x=%20a+b#tab=2&key=SECRET',
      'http://h/v/?debug&x=%20a+b#tab=2',
    ],
    ['the request to take the robot over', 'http://h/?key=SECRET&a=1#take_over=1', 'http://h/?a=1'],
    ['the legacy long link', 'http://h/?lk_url=ws%3A%2F%2Fh&lk_token=SECRET&lk_room=r', 'http://h/'],
    ['written large', 'http://h/?KEY=SECRET', 'http://h/'],
    ['a letter of the name encoded', 'http://h/?k%65y=SECRET&a=1', 'http://h/?a=1'],
    ['the whole name encoded, in the fragment', 'http://h/#%6B%65%79=SECRET', 'http://h/'],
    ['the long link, encoded', 'http://h/?lk%5Furl=ws%3A%2F%2Fh&lk%5Ftoken=SECRET', 'http://h/'],
    ['a name between spaces', 'http://h/?a=1&%20key+=SECRET', 'http://h/?a=1'],
    ['behind a path in the fragment', 'http://h/#/robot?key=SECRET&tab=2', 'http://h/#/robot?tab=2'],
    ['behind two marks', 'http://h/??key=SECRET', 'http://h/'],
    ['behind an empty parameter', 'http://h/?&key=SECRET', 'http://h/'],
    ['a value that cannot be decoded', 'http://h/?%E0%A4=x&key=SECRET%', 'http://h/?%E0%A4=x'],
    ['a path of two slashes', 'https://h//?key=SECRET', 'https://h//'],
    ['a path that looks like another host', 'https://h//other.example/?key=SECRET#a', 'https://h//other.example/#a'],
  ])('takes the key out of the address: %s', (_where, href, cleaned) => {
    const page = fakePage(href);
    expect(takeKey(page, page.kept)).toBe(href);
    expect(page.visited).toEqual([cleaned]);
  });

  it('keeps the key for a reload of this tab until it is forgotten', () => {
    const page = fakePage('http://h/?key=k1~aaa~b.c.d');
    takeKey(page, page.kept);
    expect(takeKey(page, page.kept)).toBe('http://h/?key=k1~aaa~b.c.d');
    keepKey(page.kept, 'k1~clean~key');
    expect(takeKey(page, page.kept)).toBe('k1~clean~key');
    keepKey(page.kept, null);
    expect(takeKey(page, page.kept)).toBeNull();
    expect(page.items.size).toBe(0);
  });

  it('changes neither address nor storage without a key', () => {
    const page = fakePage('http://h/?debug#keyboard');
    const replace = page.history.replaceState;
    page.history.replaceState = () => {
      throw new Error('replaced');
    };
    expect(takeKey(page, page.kept)).toBeNull();
    expect(page.items.size).toBe(0);
    page.history.replaceState = replace;
  });

  it('takes the key out of the address also if the browser blocks its storage', () => {
    const page = fakePage('http://h/?key=k1~aaa~b.c.d');
    const blocked = itemsOf(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(takeKey(page, blocked)).toBe('http://h/?key=k1~aaa~b.c.d');
    expect(page.visited).toEqual(['http://h/']);
    expect(takeKey(page, blocked)).toBeNull();
  });

  it('forgets the key for an address that asks for a robot in this tab', () => {
    const page = fakePage('http://h/?key=k1~aaa~b.c.d');
    takeKey(page, page.kept);
    page.visited.push('http://h/?try=1&profile=worker');
    expect(takeKey(page, page.kept)).toBeNull();
    expect(page.items.size).toBe(0);
  });

  it('prefers a new link to the key of the storage', () => {
    const page = fakePage('http://h/?key=old');
    takeKey(page, page.kept);
    page.visited.splice(0, 1, 'http://h/?key=new');
    expect(takeKey(page, page.kept)).toBe('http://h/?key=new');
    expect(takeKey(page, page.kept)).toBe('http://h/?key=new');
  });
});
