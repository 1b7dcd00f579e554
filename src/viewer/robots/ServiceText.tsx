import { createElement, Fragment } from 'react';
import { jsxs } from '../jsx/jsx-runtime.ts';

/** Text between two backticks, with which the service marks literal input and names. */
const MARKED = /`([^`]+)`/;

/**
 * Shows a sentence of the service. Over HTTP, its names of programs, files and fields are between backticks; they are shown here
 * as code.
 */
export function ServiceText({ text }: { text: string | null | undefined }) {
  // Every second part is what the pattern has matched. The parts are static children and not a list: none of them moves, so none
  // needs a key.
  const parts = (text ?? '')
    .split(MARKED)
    .map((part, i) => (i % 2 === 1 ? createElement('code', { translate: 'no' }, part) : part));
  return jsxs(Fragment, { children: parts });
}
