/** What JSX of the page becomes: React's own elements, with texts set apart (`text-apart.ts`). The build names this file, no import does. */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { type Props, translatable } from './text-apart.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

/** An element with one child, or none. */
export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  reactJsx(type, translatable(type, props, false), key);

/** An element with several children, each in its place. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const own = translatable(type, props, true);
  return (Array.isArray(own.children) ? reactJsxs : reactJsx)(type, own, key);
}
