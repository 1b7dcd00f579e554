import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

/** An inline element that no style and no selector names. */
const TEXT_TAG = 's-t';

/** Elements whose text is typed or read literally, and therefore is not translated. */
const VERBATIM: ReadonlySet<unknown> = new Set(['code', 'kbd', 'pre']);

/** The properties of an element. */
export interface Props {
  children?: ReactNode;
  translate?: 'yes' | 'no';
}

/**
 * Returns properties with children in which each text that can change is the only child of its element.
 * A browser's translator replaces text nodes with elements of its own. If a text is the only child, React finds it by its
 * element. For a text beside other children, React keeps the node, so the page would keep showing the old text, or fail to remove
 * the node.
 * @param isStatic whether the children are those of JSX, each in its place, and not a list
 */
export function translatable(type: unknown, props: Props, isStatic: boolean): Props {
  const { children } = props;
  const apart = Array.isArray(children) ? (isStatic ? staticApart(children) : listApart(children)) : children;
  // The parent of a fragment's children may have other children.
  const own = type === Fragment && isText(apart) ? inElement(String(apart)) : apart;
  if (VERBATIM.has(type)) return { translate: 'no', ...props, children: own };
  return own === children ? props : { ...props, children: own };
}

const isText = (child: unknown): child is string | number => typeof child === 'string' || typeof child === 'number';
const isNothing = (child: unknown): boolean => child == null || typeof child === 'boolean';

/** Returns children in their JSX form, in which each keeps its place; adjacent texts become one. */
function staticApart(children: readonly ReactNode[]): ReactNode {
  const apart: ReactNode[] = [];
  let textAt = -1;
  let isTextAlone = true;
  for (const child of children) {
    if (isText(child) && textAt >= 0) apart[textAt] = `${apart[textAt]}${child}`;
    else if (isText(child)) textAt = apart.length;
    else if (!isNothing(child)) {
      textAt = -1;
      isTextAlone = false;
    }
    apart.push(
      isText(child) ? (textAt === apart.length ? String(child) : null) : Array.isArray(child) ? listApart(child) : child,
    );
  }
  if (isTextAlone) return apart.find(isText) ?? null;
  return apart.map((child) => (isText(child) ? inElement(String(child)) : child));
}

/** Returns children of a list, whose elements have keys. */
function listApart(children: readonly ReactNode[]): ReactNode {
  return children.some(isText)
    ? children.map((child, index) => (isText(child) ? inElement(String(child), `${TEXT_TAG}-${index}`) : child))
    : children;
}

/**
 * A blank between elements never changes. In its own element, it would be a separate item wherever children are laid out in a
 * row.
 */
function inElement(text: string, key?: string): ReactElement | string {
  return text.trim() === '' ? text : createElement(TEXT_TAG, { key }, text);
}
