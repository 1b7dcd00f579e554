import type { ComponentType, ReactNode } from 'react';

interface RemoveScrollProps {
  as?: ComponentType<{ children?: ReactNode }>;
  children?: ReactNode;
  allowPinchZoom?: boolean;
  shards?: unknown;
}

/**
 * Replaces `react-remove-scroll`, which the component kit's dialogs include (vite.config.ts). That library locks the page's
 * scrolling with a style element, which our Content-Security-Policy forbids, and our page never scrolls.
 */
export function RemoveScroll({ as: Part, children, allowPinchZoom: _pinch, shards: _shards, ...rest }: RemoveScrollProps) {
  return Part ? <Part {...rest}>{children}</Part> : <div {...rest}>{children}</div>;
}
