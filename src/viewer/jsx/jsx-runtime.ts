/**
 * The JSX runtime of the page: React's own elements, with texts in separate elements (`text-apart.ts`). The build names this
 * file; no module imports it.
 */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { type Props, translatable } from './text-apart.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

/** Returns an element with one child, or none. */
export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  reactJsx(type, translatable(type, props, false), key);

/** Returns an element with several children, each in its place. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const own = translatable(type, props, true);
  return (Array.isArray(own.children) ? reactJsxs : reactJsx)(type, own, key);
}
