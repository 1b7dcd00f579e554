import { describe, expect, it } from 'vitest';
import { clipped, shownId, shownName } from '../../src/common/shown-text.ts';

describe('a foreign name in a sentence', () => {
  it.each([
    ['turns the rest of the line round', 'bob\u202edrives', 'bob\ufffddrives'],
    ['isolates and does not end it', 'bob\u2067', 'bob\ufffd'],
    ['ends an isolate that it did not begin', 'bob\u2069', 'bob\ufffd'],
    ['has invisible characters', 'ali\u200bce', 'ali\ufffdce'],
    ['joins where nothing is to be joined', 'ali\u200dce', 'ali\ufffdce'],
    ['has letters without a shape', 'alice\u3164', 'alice\ufffd'],
    ['has lines', 'alice\nbob drives', 'alice bob drives'],
    ['has other ends of lines', 'alice\u2028bob', 'alice\ufffdbob'],
    ['has other spaces', 'this\u00a0page', 'this page'],
    ['has escapes for a terminal', 'a\u001b[2Jb', 'a\ufffd[2Jb'],
    ['has half a letter', 'a\ud800b', 'a\ufffdb'],
    ['has a tower of marks', `Z${'\u0301'.repeat(500)}`, `Z${'\u0301'.repeat(4)}`],
    ['is empty', '', 'without a name'],
    ['is a space', ' \u00a0', 'without a name'],
  ])('a foreign name is made safe if it %s', (_, name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  it.each([
    'alice',
    'Zoë Müller',
    '__proto__',
    '<img src=x onerror=alert(1)>',
    '王小明',
    'สมหญิง',
    '👩\u200d🚀',
    '❤\ufe0f',
    'rcw-1',
  ])('a harmless foreign name is shown unchanged: %s', (name) => expect(shownName(name)).toBe(name));

  it('a right-to-left name does not reverse the text around it', () => {
    expect(shownName('דוד')).toBe('\u2068דוד\u2069');
    expect(shownName('علی\u200cرضا')).toBe('\u2068علی\u200cرضا\u2069');
  });

  it('a foreign name is cut to a maximum length between whole letters', () => {
    expect(shownName('x'.repeat(10_000))).toBe(`${'x'.repeat(79)}…`);
    expect(shownName('🤖'.repeat(100))).toBe(`${'🤖'.repeat(79)}…`);
  });
});

describe('an id that a sentence quotes', () => {
  it('a quoted id stays as it was given, with its spaces', () => {
    expect(shownId(' cube 1 ')).toBe(' cube 1 ');
  });

  it('a quoted id shows invisible characters visibly, and is cut to a maximum length', () => {
    expect(shownId('cube\u200b_1\n')).toBe('cube\ufffd_1\ufffd');
    expect(shownId('x'.repeat(10_000))).toHaveLength(128);
  });
});

describe('a text that is clipped', () => {
  it('ends with an ellipsis, also if each character has two units', () => {
    expect(clipped('😀'.repeat(1_000), 10)).toBe(`${'😀'.repeat(9)}…`);
    expect(clipped('😀'.repeat(10), 10)).toBe('😀'.repeat(10));
  });
});
