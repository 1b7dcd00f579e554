import { Fragment } from 'react';

/** Words between two backticks, as the service marks what is typed or found as it stands. */
const MARKED = /`([^`]+)`/;

/** Shows a sentence of the service; over HTTP its names of programs, files and fields stand between backticks, here as code. */
export function ServiceWords({ text }: { text: string | null | undefined }) {
  // Every second part is what the pattern has caught.
  const parts = (text ?? '').split(MARKED);
  // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place, and keeps it.
  return parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>));
}
