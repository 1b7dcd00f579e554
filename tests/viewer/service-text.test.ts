import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { UNAUTHORIZED_HINTS } from '../../src/protocol/service/service-errors.ts';
import { KeyEntry } from '../../src/viewer/robots/KeyEntry.tsx';
import { CODE_ENDED } from '../../src/viewer/robots/open-code.ts';
import { RobotsStore } from '../../src/viewer/robots/robots-store.ts';
import { ServiceText } from '../../src/viewer/robots/ServiceText.tsx';
import { RobotsStoreProvider } from '../../src/viewer/robots/store-context.ts';

const drawn = (text: string) =>
  renderToStaticMarkup(createElement(ServiceText, { text })).replace(/<\/?s-t>| translate="no"/g, '');

/** The alert of the page that asks for a key. */
function alertOf(sentence: string): string {
  const store = new RobotsStore({
    openAccount: vi.fn(),
    nowMs: () => 0,
    wallMs: () => 0,
    setTimer: () => 0,
    clearTimer: () => {},
    isHidden: () => false,
  });
  store.forget({ text: sentence, isProblem: true });
  const markup = renderToStaticMarkup(createElement(RobotsStoreProvider, { value: store }, createElement(KeyEntry)));
  return /role="alert">(.*?)<\/p>/.exec(markup)?.[1] ?? '';
}

describe('sentences of the service on the page of all robots', () => {
  it.each([...Object.values(UNAUTHORIZED_HINTS), CODE_ENDED])(
    'sentences of the service have no backticks on the page: %s',
    (sentence) => {
      const said = alertOf(sentence);
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
