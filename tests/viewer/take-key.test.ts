import { describe, expect, it } from 'vitest';
import { type KeyPage, keepKey, takeKey } from '../../src/viewer/engine/take-key.ts';

function fakePage(href: string) {
  const items = new Map<string, string>();
  const visited = [href];
  const page: KeyPage & { items: Map<string, string>; visited: string[] } = {
    items,
    visited,
    location: {
      get href() {
        return visited.at(-1) ?? '';
      },
    },
    history: {
      state: { kept: true },
      replaceState: (_state, _unused, url) => void visited.splice(-1, 1, new URL(String(url), visited.at(-1)).href),
    },
    sessionStorage: {
      getItem: (item) => items.get(item) ?? null,
      setItem: (item, value) => void items.set(item, value),
      removeItem: (item) => void items.delete(item),
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
    ['the legacy long link', 'http://h/?lk_url=ws%3A%2F%2Fh&lk_token=SECRET&lk_room=r', 'http://h/'],
    ['written large', 'http://h/?KEY=SECRET', 'http://h/'],
  ])('%s', (_where, href, cleaned) => {
    const page = fakePage(href);
    expect(takeKey(page)).toBe(href);
    expect(page.visited).toEqual([cleaned]);
  });

  it('keeps it for a reload of this tab, until it is forgotten', () => {
    const page = fakePage('http://h/?key=k1~aaa~b.c.d');
    takeKey(page);
    expect(takeKey(page)).toBe('http://h/?key=k1~aaa~b.c.d');
    keepKey(page, 'k1~clean~key');
    expect(takeKey(page)).toBe('k1~clean~key');
    keepKey(page, null);
    expect(takeKey(page)).toBeNull();
    expect(page.items.size).toBe(0);
  });

  it('touches neither address nor storage when there is no key', () => {
    const page = fakePage('http://h/?debug#keyboard');
    const replace = page.history.replaceState;
    page.history.replaceState = () => {
      throw new Error('replaced');
    };
    expect(takeKey(page)).toBeNull();
    expect(page.items.size).toBe(0);
    page.history.replaceState = replace;
  });

  it('prefers a new link to the key kept before', () => {
    const page = fakePage('http://h/?key=old');
    takeKey(page);
    page.visited.splice(0, 1, 'http://h/?key=new');
    expect(takeKey(page)).toBe('http://h/?key=new');
    expect(takeKey(page)).toBe('http://h/?key=new');
  });
});
