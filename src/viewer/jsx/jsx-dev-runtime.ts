/** The counterpart of `jsx-runtime.ts` for the development server and tests. */
import type { ElementType, Key, ReactElement } from 'react';
import { type JSXSource, jsxDEV as reactJsxDEV } from 'react/jsx-dev-runtime';
import { type Props, translatable } from './text-apart.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

/** Returns an element, with the position in the sources where it is created. */
export function jsxDEV(
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  const own = translatable(type, props, isStatic);
  return reactJsxDEV(type, own, key, isStatic && Array.isArray(own.children), source, self);
}
