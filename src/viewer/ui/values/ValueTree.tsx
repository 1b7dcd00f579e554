import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { clamp } from '../../../common/clamp.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { copyText, type TreeRow, treeRows } from './tree-rows.ts';

interface ValueTreeProps {
  value: unknown;
  label: string;
  search?: string;
  /** Branches above this depth are open until they are closed. */
  openTo?: number;
  /** Marks values that change. */
  live?: boolean;
}

/** Any value as a tree: one stop of the Tab key, with arrow keys inside. The path and value of the marked row can be copied. */
export function ValueTree({ value, label, search = '', openTo = 0, live = false }: ValueTreeProps) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = (id: string, depth: number) => depth < openTo !== turned.has(id);
  const rows = treeRows(value, isOpen, search);
  const at = rows.findIndex(({ id }) => id === marked);
  const row = rows[at];

  const turn = ({ id, open }: TreeRow) => {
    if (open === null || search !== '') return;
    const next = new Set(turned);
    if (!next.delete(id)) next.add(id);
    setTurned(next);
  };
  const mark = (index: number) => {
    const next = rows[clamp(index, 0, rows.length - 1)];
    if (!next) return;
    setMarked(next.id);
    const item = list.current?.querySelector(`[data-row="${CSS.escape(next.id)}"]`);
    if (item instanceof HTMLElement) item.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
        mark(at + 1);
        break;
      case 'ArrowUp':
        mark(at - 1);
        break;
      case 'Home':
        mark(0);
        break;
      case 'End':
        mark(rows.length - 1);
        break;
      case 'Enter':
        if (row) turn(row);
        break;
      case 'ArrowRight':
        if (row?.open === false) turn(row);
        else mark(at + 1);
        break;
      case 'ArrowLeft':
        if (row?.open && search === '') turn(row);
        else mark(parentOf(rows, at));
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  if (rows.length === 0) return <p className="muted tree-none">{search === '' ? 'Empty.' : 'Nothing matches.'}</p>;
  return (
    <div className="tree-box">
      <div ref={list} className="tree" role="tree" aria-label={label}>
        {rows.map((item, i) => (
          <div
            key={item.id}
            className="tree-row"
            role="treeitem"
            data-row={item.id}
            data-depth={Math.min(item.depth, 6)}
            tabIndex={i === Math.max(0, at) ? 0 : -1}
            aria-level={item.depth + 1}
            aria-expanded={item.open ?? undefined}
            aria-selected={item.id === marked}
            onKeyDown={onKeyDown}
            onFocus={() => setMarked(item.id)}
            onClick={() => {
              setMarked(item.id);
              turn(item);
            }}
          >
            {item.open === null ? <span className="tree-gap" /> : <ChevronRight size={14} aria-hidden className="tree-chevron" />}
            <span className="tree-key">{item.key}</span>
            <TreeValue row={item} live={live} />
          </div>
        ))}
      </div>
      {row && (
        <div className="tree-foot cluster">
          <code className="tree-path cut muted" title={row.id}>
            {row.id}
          </code>
          <CopyButton label="Copy path" text={() => row.id} />
          <CopyButton label="Copy value" text={() => copyText(row.value)} />
        </div>
      )}
    </div>
  );
}

const parentOf = (rows: readonly TreeRow[], at: number): number =>
  rows.findLastIndex(({ depth }, i) => i < at && depth < (rows[at]?.depth ?? 0));

/** A value. If it has changed since it was first shown, it flashes, because it is a new element. */
function TreeValue({ row: { text, open }, live }: { row: TreeRow; live: boolean }) {
  const first = useRef(text);
  const changed = live && open === null && text !== first.current;
  if (changed) first.current = '\u0000';
  return (
    <span
      key={changed ? text : 'still'}
      className={changed ? 'tree-value tree-changed' : 'tree-value'}
      data-branch={open !== null}
    >
      {text}
    </span>
  );
}
