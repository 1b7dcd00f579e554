import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { UNAUTHORIZED_HINTS } from '../../src/protocol/service-errors.ts';
import { DeskProvider } from '../../src/viewer/robots/desk-context.ts';
import { KeyEntry } from '../../src/viewer/robots/KeyEntry.tsx';
import { CODE_ENDED } from '../../src/viewer/robots/open-code.ts';
import { RobotsDesk } from '../../src/viewer/robots/robots-desk.ts';
import { ServiceWords } from '../../src/viewer/robots/ServiceWords.tsx';

const drawn = (text: string) =>
  renderToStaticMarkup(createElement(ServiceWords, { text })).replace(/<\/?s-t>| translate="no"/g, '');

/** The alert of the page that asks for a key. */
function alertOf(words: string): string {
  const desk = new RobotsDesk({
    fetch: vi.fn(),
    nowMs: () => 0,
    wallMs: () => 0,
    setTimer: () => 0,
    clearTimer: () => {},
    isHidden: () => false,
  });
  desk.forget({ words, isProblem: true });
  const markup = renderToStaticMarkup(createElement(DeskProvider, { value: desk }, createElement(KeyEntry)));
  return /role="alert">(.*?)<\/p>/.exec(markup)?.[1] ?? '';
}

describe('sentences of the service on the page of all robots', () => {
  it.each([...Object.values(UNAUTHORIZED_HINTS), CODE_ENDED])(
    'sentences of the service have no backticks on the page: %s',
    (words) => {
      const said = alertOf(words);
      expect(said).not.toBe('');
      expect(said).not.toContain('`');
    },
  );

  it('text between two backticks is shown as code', () => {
    expect(drawn('Of `npm start` it is `api_key`.')).toBe('Of <code>npm start</code> it is <code>api_key</code>.');
  });

  it('a text with a single backtick or with foreign markup stays unchanged', () => {
    expect(drawn('The robot "a`b" is <b>busy</b>.')).toBe('The robot &quot;a`b&quot; is &lt;b&gt;busy&lt;/b&gt;.');
    expect(drawn('`<img>`')).toBe('<code>&lt;img&gt;</code>');
  });
});
