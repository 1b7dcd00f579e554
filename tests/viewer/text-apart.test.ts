/** Each changing text is the only child of its element, so that the browser’s translation does not freeze it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseSync } from 'vite';
import { describe, expect, it, vi } from 'vitest';
import { sourceFiles } from '../../scripts/structure.ts';
import { jsxDEV } from '../../src/viewer/jsx/jsx-dev-runtime.ts';
import { jsx, jsxs } from '../../src/viewer/jsx/jsx-runtime.ts';

const b = createElement('b', null, 'b');
const one = (type: 'p' | typeof Fragment, children: ReactNode): string => renderToStaticMarkup(jsx(type, { children }));
const many = (type: 'p' | typeof Fragment, ...children: ReactNode[]): string => renderToStaticMarkup(jsxs(type, { children }));

describe('the JSX of the page', () => {
  it.each<[string, ReactNode[], string]>([
    ['makes one text of texts that stand together', ['Ann', ' is ', 3, null, ' m away'], '<p>Ann is 3 m away</p>'],
    ['sets a text beside an element apart', [b, ' is stopped'], '<p><b>b</b><s-t> is stopped</s-t></p>'],
    ['joins the texts before and after what is not there', ['Ann', false, ' waits', b], '<p><s-t>Ann waits</s-t><b>b</b></p>'],
    ['leaves blanks between elements', [b, ' ', b], '<p><b>b</b> <b>b</b></p>'],
    [
      'sets texts of a list apart',
      [b, ['x', createElement('i', { key: 'i' }), 'y']],
      '<p><b>b</b><s-t>x</s-t><i></i><s-t>y</s-t></p>',
    ],
    ['has nothing for nothing', [null, false], '<p></p>'],
  ])('the JSX of the page wraps a changing text: %s', (_, children, markup) => expect(many('p', ...children)).toBe(markup));

  it('the JSX of the page leaves a text that is an only child, and wraps it in a fragment, which may have siblings', () => {
    expect(one('p', 'Ann')).toBe('<p>Ann</p>');
    expect(one('p', b)).toBe('<p><b>b</b></p>');
    expect(one(Fragment, 'Ann')).toBe('<s-t>Ann</s-t>');
    expect(many(Fragment, 'Ann', ' waits')).toBe('<s-t>Ann waits</s-t>');
    expect(one('p', ['x', 'y'])).toBe('<p><s-t>x</s-t><s-t>y</s-t></p>');
  });

  it('code and keys are excluded from translation, unless an attribute overrides this', () => {
    expect(renderToStaticMarkup(jsx('code', { children: 'cube_3' }))).toBe('<code translate="no">cube_3</code>');
    expect(renderToStaticMarkup(jsxs('kbd', { children: ['F', 4] }))).toBe('<kbd translate="no">F4</kbd>');
    expect(renderToStaticMarkup(jsx('code', { translate: 'yes', children: 'a' }))).toBe('<code translate="yes">a</code>');
  });

  it('each element keeps its place when texts appear and disappear, so that it is not created again', () => {
    const places = (...children: ReactNode[]): unknown[] =>
      ((jsxs('p', { children }).props as { children: (ReactElement | null)[] }).children ?? []).map(
        (child) => child?.type ?? null,
      );
    expect(places('a', 'b', b)).toEqual(['s-t', null, 'b']);
    expect(places(null, 'b', b)).toEqual([null, 's-t', 'b']);
  });

  it('the development runtime gives the same result, without a warning of React', () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    const drawn = renderToStaticMarkup(jsxDEV('p', { children: ['Ann', ' waits'] }, undefined, true));
    expect(drawn).toBe('<p>Ann waits</p>');
    expect(renderToStaticMarkup(jsxDEV('p', { children: [b, ' waits'] }, undefined, true))).toBe(
      '<p><b>b</b><s-t> waits</s-t></p>',
    );
    expect(complaint).not.toHaveBeenCalled();
    complaint.mockRestore();
  });
});

describe('the sources of the page', () => {
  const srcDir = join(import.meta.dirname, '../../src');
  const files = sourceFiles(join(srcDir, 'viewer')).map((file) => ({ file, source: readFileSync(file, 'utf8') }));

  it('elements are created by JSX alone, which wraps their texts', () => {
    const others = files.filter(({ source }) => /import .*\b(createElement|cloneElement)\b.* from 'react'/.test(source));
    // The words of the service have their parts in a list; JSX wraps that list.
    expect(others.map(({ file }) => file.slice(srcDir.length + 1))).toEqual([
      'viewer/jsx/text-apart.ts',
      'viewer/robots/ServiceText.tsx',
    ]);
  });

  it('no component is a bare text, which would be an unwrapped text of its parent element', () => {
    interface Node {
      type: string;
      id?: { name: string } | null;
      body?: Node | Node[];
      argument?: Node | null;
      [key: string]: unknown;
    }
    const TEXT = new Set(['TemplateLiteral', 'Literal']);
    const found: string[] = [];
    const returns = (node: unknown, name: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, argument } = node as Node;
      if (type === 'ReturnStatement' && argument && TEXT.has(argument.type) && argument.value !== null) found.push(name);
      if (/Function/.test(type ?? '')) return;
      for (const each of Object.values(node)) returns(each, name);
    };
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, id, body } = node as Node;
      if (type === 'FunctionDeclaration' && /^[A-Z]/.test(id?.name ?? '')) returns(body, id?.name ?? '');
      for (const each of Object.values(node)) walk(each);
    };
    for (const { file, source } of files) if (file.endsWith('.tsx')) walk(parseSync(file, source).program);
    expect(found).toEqual([]);
  });
});
