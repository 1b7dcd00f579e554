import { inlineValue, keyText, partsOf } from '../common/value.ts';

/** Nothing in the protocol is nested deeper. The limit protects against values that a caller nested without bound. */
const DEPTH_MAX = 6;

/** Parameters or a result as a list of words and figures. */
export function ValueList({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== 'object' || value === null) return <p className="values-none">{inlineValue('', value)}</p>;
  const parts = partsOf(value);
  if (parts.length === 0) return <p className="values-none">None</p>;
  return (
    <dl className="values">
      {parts.map(([key, part]) => {
        const line = depth >= DEPTH_MAX ? JSON.stringify(part) : inlineValue(key, part);
        return (
          <div key={key} className={line === null ? 'values-group' : 'values-row'}>
            <dt>{keyText(key)}</dt>
            <dd>{line ?? <ValueList value={part} depth={depth + 1} />}</dd>
          </div>
        );
      })}
    </dl>
  );
}
