import { createElement, Fragment } from 'react';

/** Words between two backticks, as the service marks what is typed or found as it stands. */
const MARKED = /`([^`]+)`/;

/** Shows a sentence of the service; over HTTP its names of programs, files and fields stand between backticks, here as code. */
export function ServiceWords({ text }: { text: string | null | undefined }) {
  // Every second part is what the pattern has caught. They are arguments and no list: none of them moves, and so none has a name.
  const parts = (text ?? '').split(MARKED).map((part, i) => (i % 2 === 1 ? createElement('code', null, part) : part));
  return createElement(Fragment, null, ...parts);
}
