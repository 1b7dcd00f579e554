import { createElement, Fragment } from 'react';
import { jsxs } from '../jsx/jsx-runtime.ts';

/** Words between two backticks, as the service marks what is typed or found as it stands. */
const MARKED = /`([^`]+)`/;

/** Shows a sentence of the service; over HTTP its names of programs, files and fields stand between backticks, here as code. */
export function ServiceWords({ text }: { text: string | null | undefined }) {
  // Every second part is what the pattern has caught. They are static children and no list: none of them moves, and so none has a key.
  const parts = (text ?? '')
    .split(MARKED)
    .map((part, i) => (i % 2 === 1 ? createElement('code', { translate: 'no' }, part) : part));
  return jsxs(Fragment, { children: parts });
}
