import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { capitalise } from '../../../common/capitalise.ts';
import { type Path, pathText } from '../../../common/schema-texts.ts';
import { radToDeg } from '../../../protocol/wire/geometry.ts';
import { decimal } from '../common/format.ts';
import type { Draft, Field } from './form-model.ts';
import { IdPicker } from './IdPicker.tsx';
import { type Problem, rangeOf } from './json-schema.ts';
import { SlotPicker } from './SlotPicker.tsx';

export interface FieldProps {
  field: Field;
  draft: Draft;
  path: Path;
  /** All problems to show; each field picks its own. */
  problems: readonly Problem[];
  onChange: (draft: Draft) => void;
  /** The texts of the neighbouring fields, by key. */
  beside?: Readonly<Record<string, string>>;
}

/** A field of a form, with its inner fields. */
export function FieldView(props: FieldProps) {
  const { field } = props;
  switch (field.kind) {
    case 'object':
      return <GroupField {...props} parts={field.fields} />;
    case 'choice':
      return <ChoiceField {...props} />;
    case 'tuple':
      return <TupleField {...props} />;
    case 'set':
      return <SetField {...props} />;
    case 'fixed':
      return null;
    default:
      return <LineField {...props} />;
  }
}

const problemAt = (problems: readonly Problem[], path: Path): string | undefined => {
  const here = pathText(path);
  return problems.find((problem) => pathText(problem.path) === here)?.text;
};

function ProblemLine({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} className="field-problem">
      <CircleAlert size={14} aria-hidden />
      {text}
    </p>
  );
}

/** Single-line fields: text, number, choice of words, yes or no. */
function LineField({ field, draft, path, problems, onChange, beside }: FieldProps) {
  const id = useId();
  const problem = problemAt(problems, path);
  const text = draft.kind === 'text' ? draft.text : '';
  const described = [problem === undefined ? '' : `${id}-problem`, `${id}-help`].filter(Boolean).join(' ');
  const common = {
    id,
    name: pathText(path),
    'aria-invalid': problem !== undefined,
    'aria-describedby': described,
    'aria-required': field.required,
  };
  const padId = field.kind === 'number' && field.slotOfPadIn !== null ? beside?.[field.slotOfPadIn] : undefined;
  const setText = (next: string) => onChange({ kind: 'text', text: next });
  return (
    <div className="field stack gap-1">
      <label className="field-label" htmlFor={id}>
        {field.label}
        {!field.required && <span className="field-optional">{optionalText(field)}</span>}
      </label>
      {field.kind === 'enum' ? (
        <select {...common} className="input" value={text} onChange={(event) => setText(event.target.value)}>
          <option value="">
            {field.schema.default === undefined ? (field.required ? 'Choose' : 'Not set') : `Default: ${field.schema.default}`}
          </option>
          {field.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : field.kind === 'flag' ? (
        <select
          {...common}
          className="input"
          value={draft.kind === 'flag' ? draft.value : ''}
          onChange={(event) => onChange({ kind: 'flag', value: event.target.value as '' | 'true' | 'false' })}
        >
          <option value="">{field.required ? 'Choose' : 'Not set'}</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      ) : field.kind === 'text' && field.entityKinds ? (
        <IdPicker {...common} kinds={field.entityKinds} value={text} onChange={setText} />
      ) : padId ? (
        <SlotPicker {...common} padId={padId} value={text} onChange={setText} />
      ) : (
        <span className="input-with-unit">
          <input
            {...common}
            className="input"
            type="text"
            inputMode={field.kind === 'number' ? 'decimal' : 'text'}
            autoComplete="off"
            spellCheck={false}
            value={text}
            placeholder={placeholderOf(field)}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              const next = field.kind === 'number' ? stepped(field, text, event.key, event.shiftKey) : null;
              if (next === null) return;
              event.preventDefault();
              setText(next);
            }}
          />
          {field.kind === 'number' && field.unit && <span className="input-unit">{field.unit}</span>}
        </span>
      )}
      <ProblemLine id={`${id}-problem`} text={problem} />
      <p id={`${id}-help`} className="field-help small">
        {helpOf(field, text)}
      </p>
    </div>
  );
}

const optionalText = ({ schema }: Field): string =>
  schema.default === undefined ? 'optional' : typeof schema.default === 'object' ? 'has a default' : `default ${schema.default}`;

function placeholderOf({ schema, required, kind }: Field): string {
  if (schema.default !== undefined) return String(schema.default);
  if (kind === 'json') return 'JSON';
  return required ? '' : 'not set';
}

/** Returns the help of a field: its description from the schema, its range, and an angle in degrees. */
function helpOf(field: Field, text: string): ReactNode {
  const range = field.kind === 'number' ? rangeOf(field.schema) : '';
  const value = Number(text);
  const inDegrees =
    field.kind === 'number' && field.unit.startsWith('rad') && text.trim() !== '' && Number.isFinite(value)
      ? `${decimal(radToDeg(value), 1)}°${field.unit.slice(3)}`
      : '';
  const sentences = [
    field.help,
    range,
    inDegrees && `now ${inDegrees}`,
    field.kind === 'words' ? 'separate several with commas' : '',
  ];
  const sentence = sentences.filter(Boolean).join('; ');
  return sentence === '' ? null : capitalise(sentence);
}

/** Changes a number with the arrow keys; with Shift, by ten times as much. */
function stepped(field: Field, text: string, key: string, large: boolean): string | null {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const { minimum, maximum, default: initial, type } = field.schema;
  const span = minimum !== undefined && maximum !== undefined ? maximum - minimum : 10;
  const step = (type === 'integer' || span > 30 ? 1 : 0.1) * (large ? 10 : 1) * (key === 'ArrowUp' ? 1 : -1);
  const from = text.trim() === '' ? Number(initial ?? 0) : Number(text);
  if (!Number.isFinite(from)) return null;
  return String(Number(Math.min(maximum ?? Infinity, Math.max(minimum ?? -Infinity, from + step)).toFixed(3)));
}

/** The switch of an optional part; off leaves it out. */
function Given({ field, given, onGiven }: { field: Field; given: boolean; onGiven: (given: boolean) => void }) {
  if (field.required) return <span className="field-label">{field.label}</span>;
  return (
    <label className="field-switch row">
      <input type="checkbox" checked={given} onChange={(event) => onGiven(event.target.checked)} />
      {field.label}
      <span className="field-optional">{given ? 'set' : 'not set'}</span>
    </label>
  );
}

function GroupField({ parts, ...props }: FieldProps & { parts: readonly Field[] }) {
  const { field, draft, path, problems } = props;
  const id = useId();
  if (draft.kind !== 'group') return null;
  const fields = <Parts {...props} parts={parts} />;
  // The whole form is not a group of its own.
  if (path.length === 0) return <>{fields}</>;
  const problem = problemAt(problems, path);
  return (
    <fieldset className="field-group" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>
        <Given field={field} given={draft.given} onGiven={(given) => props.onChange({ ...draft, given })} />
      </legend>
      {field.help && <p className="field-help small">{capitalise(field.help)}</p>}
      <ProblemLine id={`${id}-problem`} text={problem} />
      {draft.given && <div className="field-parts stack gap-3">{fields}</div>}
    </fieldset>
  );
}

function Parts({ parts, draft, path, onChange, ...rest }: FieldProps & { parts: readonly Field[] }) {
  if (draft.kind !== 'group') return null;
  const texts = parts.map(({ key }, i): [string, string] => {
    const inner = draft.parts[i];
    return [key, inner?.kind === 'text' ? inner.text : ''];
  });
  const beside = Object.fromEntries(texts);
  return parts.map((part, i) => {
    const inner = draft.parts[i];
    return inner ? (
      <FieldView
        key={part.key}
        {...rest}
        field={part}
        draft={inner}
        path={[...path, part.key]}
        beside={beside}
        onChange={(next) => onChange({ ...draft, parts: draft.parts.with(i, next) })}
      />
    ) : null;
  });
}

const CHOICE_TEXTS: Record<string, string> = { entity: 'Entity', pose: 'Place', slot: 'Slot' };

function ChoiceField(props: FieldProps) {
  const { field, draft, path, problems, onChange } = props;
  const id = useId();
  if (field.kind !== 'choice' || draft.kind !== 'choice') return null;
  const branch = field.branches[draft.chosen];
  const inner = draft.branches[draft.chosen];
  const problem = problemAt(problems, path);
  return (
    <fieldset className="field-group" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>
        <Given field={field} given={draft.given} onGiven={(given) => onChange({ ...draft, given })} />
      </legend>
      {draft.given && (
        <div className="segments">
          {field.branches.map(({ key }, i) => (
            <label key={key} className="segment">
              <input
                type="radio"
                name={`${id}-kind`}
                checked={i === draft.chosen}
                onChange={() => onChange({ ...draft, chosen: i })}
              />
              <span>{CHOICE_TEXTS[key] ?? key}</span>
            </label>
          ))}
        </div>
      )}
      <ProblemLine id={`${id}-problem`} text={problem} />
      {draft.given && branch?.kind === 'object' && inner && (
        <div className="field-parts stack gap-3">
          <Parts
            {...props}
            parts={branch.fields}
            field={branch}
            draft={inner}
            onChange={(next) => onChange({ ...draft, branches: draft.branches.with(draft.chosen, next) })}
          />
        </div>
      )}
    </fieldset>
  );
}

function TupleField({ field, draft, path, problems, onChange }: FieldProps) {
  const id = useId();
  if (field.kind !== 'tuple' || draft.kind !== 'group') return null;
  const wrong = field.items
    .map((item, i) => ({ label: item.label, text: problemAt(problems, [...path, i]) }))
    .filter(({ text }) => text !== undefined);
  const own = problemAt(problems, path);
  const text = own ?? wrong.map((part) => `${part.label}: ${part.text}`)[0];
  return (
    <fieldset className="field-group" aria-describedby={text === undefined ? undefined : `${id}-problem`}>
      <legend>
        <Given field={field} given={draft.given} onGiven={(given) => onChange({ ...draft, given })} />
      </legend>
      {draft.given && (
        <div className="tuple">
          {field.items.map((item, i) => {
            const part = draft.parts[i];
            return (
              <label key={item.key} className="stack gap-1">
                <span className="field-label">{item.label}</span>
                <input
                  className="input"
                  type="text"
                  inputMode="decimal"
                  autoComplete="off"
                  name={pathText([...path, i])}
                  aria-invalid={problemAt(problems, [...path, i]) !== undefined}
                  value={part?.kind === 'text' ? part.text : ''}
                  onChange={(event) =>
                    onChange({ ...draft, parts: draft.parts.with(i, { kind: 'text', text: event.target.value }) })
                  }
                />
              </label>
            );
          })}
        </div>
      )}
      <ProblemLine id={`${id}-problem`} text={text} />
      <p className="field-help small">{capitalise(field.help)}</p>
    </fieldset>
  );
}

function SetField({ field, draft, onChange }: FieldProps) {
  if (field.kind !== 'set' || draft.kind !== 'set') return null;
  return (
    <fieldset className="field-group">
      <legend>
        <span className="field-label">{field.label}</span> {!field.required && <span className="field-optional">optional</span>}
      </legend>
      <div className="set cluster">
        {field.options.map((option) => (
          <label key={option} className="field-switch row">
            <input
              type="checkbox"
              checked={draft.values.includes(option)}
              onChange={({ target }) =>
                onChange({
                  kind: 'set',
                  values: target.checked ? [...draft.values, option] : draft.values.filter((value) => value !== option),
                })
              }
            />
            {option}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
