import { ArrowLeft, Braces, Code, CornerDownLeft, Play } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { pathText } from '../../../common/schema-texts.ts';
import { partsInWords } from '../../../protocol/wire/robot.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { PHONE_QUERY } from '../common/hooks.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { CodeView } from './CodeView.tsx';
import type { Callable } from './callables.ts';
import { patchSheet, type Sheet, useConsole, useConsoleStore } from './console-store.ts';
import { FieldView } from './FieldView.tsx';
import type { Draft } from './form-model.ts';
import type { Problem } from './json-schema.ts';
import { ReplyView } from './ReplyView.tsx';
import type { Run } from './run.ts';
import { runCall } from './run-call.ts';
import { formShowsLess, newSheet, requestOf, switchMode } from './sheet.ts';

/** One callable: its form or JSON, its outcome, and the call as a program. */
export function CallForm({ callable }: { callable: Callable }) {
  const store = useConsoleStore();
  const sheet = useConsole(({ sheets }) => sheets[callable.id]) ?? newSheet(callable);
  const run = useConsole(({ runs }) => runs.find(({ runId }) => runId === sheet.runId) ?? null);
  const [withCode, setWithCode] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const send = useSend(callable, sheet);
  const request = requestOf(callable, sheet);
  useEffect(() => focusFirst(heading.current), []);
  return (
    <article className="stack gap-3" aria-labelledby="call-title">
      <header className="call-head columns">
        <button
          type="button"
          className="icon-button icon-button-small"
          aria-label="Back to all skills"
          onClick={() => store.setState({ openId: null, leftId: callable.id })}
        >
          <ArrowLeft size={18} aria-hidden />
        </button>
        <h2 id="call-title" className="call-form-title" tabIndex={-1} ref={heading}>
          {callable.title}
        </h2>
        <code className="call-name cut muted">{callable.id}</code>
      </header>
      <p className="call-description">{callable.description}</p>
      <Facts callable={callable} />
      <Inputs callable={callable} sheet={sheet} send={send} />
      {run && <ReplyView run={run} callable={callable} />}
      <button
        type="button"
        className="button button-quiet call-code"
        aria-expanded={withCode}
        onClick={() => setWithCode(!withCode)}
      >
        <Code size={16} aria-hidden />
        {withCode ? 'Hide the code' : 'Show as code'}
      </button>
      {withCode && (
        <CodeView
          call={{ callable, input: request.input ?? {}, options: request.options }}
          isWhole={request.jsonProblem === null && request.inputProblems.length === 0 && request.optionsProblems.length === 0}
        />
      )}
    </article>
  );
}

/** Focuses the first field, except on a phone, where the keyboard would cover everything. */
function focusFirst(heading: HTMLElement | null): void {
  const call = heading?.closest('article');
  const first = call?.querySelector<HTMLElement>('form :is(.input, [type="checkbox"], .button-main)');
  const target = window.matchMedia(PHONE_QUERY).matches ? heading : (first ?? heading);
  target?.focus({ preventScroll: true });
}

function Facts({ callable: { kind, facts } }: { callable: Callable }) {
  const robot = useRobotWords();
  if (kind !== 'skill') return null;
  const parts = partsInWords(facts.bodyParts, robot);
  const moves = parts.length === 0 ? 'Moves nothing' : `Moves ${parts.join(' and ')}`;
  const takes = facts.estimatedMs === null ? '' : facts.estimatedMs < 50 ? 'at once' : `about ${duration(facts.estimatedMs)}`;
  return <p className="call-facts">{[moves, takes].filter(Boolean).join(' · ')}</p>;
}

/** Sends the sheet if it has no problems. Otherwise shows all problems and focuses the first such field. */
function useSend(callable: Callable, sheet: Sheet): (form: HTMLElement | null) => Promise<Run | null> {
  const engine = useEngine();
  const store = useConsoleStore();
  return async (form) => {
    const { input, options, inputProblems, optionsProblems, jsonProblem } = requestOf(callable, sheet);
    patchSheet(store, callable.id, { tried: true, refused: null });
    const wrong = inputProblems[0] ?? optionsProblems[0];
    if (!wrong && jsonProblem === null) return runCall(engine, store, callable, input ?? {}, options);
    if (sheet.mode === 'form' && wrong) fieldNamed(form, wrong)?.focus();
    return null;
  };
}

const fieldNamed = (form: HTMLElement | null, { path }: Problem): HTMLElement | null =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(pathText(path))}"]`) ?? null;

interface InputsProps {
  callable: Callable;
  sheet: Sheet;
  send: (form: HTMLElement | null) => Promise<Run | null>;
}

function Inputs({ callable, sheet, send }: InputsProps) {
  const store = useConsoleStore();
  const form = useRef<HTMLFormElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const live = useViewer((state) => state.phase === 'live');
  const { inputProblems, optionsProblems, jsonProblem } = requestOf(callable, sheet);
  const refused = (part: 'input' | 'options') => (sheet.refused?.part === part ? [sheet.refused] : []);
  // Before the first attempt, only fields that were typed in and left show problems, never those still to come.
  const shown = (problems: readonly Problem[]) =>
    problems.filter(({ path, missing }) => sheet.tried || (!missing && touched.has(pathText(path))));
  const hasFields = callable.form.kind === 'object' && callable.form.fields.length > 0;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (live) void send(form.current);
  };
  const change = (draft: Draft) => patchSheet(store, callable.id, { draft, source: 'form', refused: null });
  return (
    <form
      ref={form}
      className="stack gap-3"
      noValidate
      aria-label={callable.title}
      onSubmit={submit}
      onBlur={({ target }) => 'name' in target && setTouched(new Set(touched).add(String(target.name)))}
      onKeyDown={(event) => sendByKeys(event, submit)}
    >
      {hasFields && <ModeSwitch callable={callable} sheet={sheet} />}
      {sheet.mode === 'json' ? (
        <JsonField
          callable={callable}
          sheet={sheet}
          problems={inputProblems}
          jsonProblem={jsonProblem}
          refused={refused('input')}
        />
      ) : (
        <>
          {formShowsLess(callable, sheet) && (
            <p className="muted">The JSON holds more than this form can show. Run sends the form; switch to JSON to send that.</p>
          )}
          <FieldView
            field={callable.form}
            draft={sheet.draft}
            path={[]}
            problems={[...refused('input'), ...shown(inputProblems)]}
            onChange={change}
          />
          {!hasFields && <p className="muted">Nothing to fill in.</p>}
        </>
      )}
      {callable.options && sheet.options && (
        <CallOptions wrong={optionsProblems.length > 0 || refused('options').length > 0}>
          <FieldView
            field={callable.options}
            draft={sheet.options}
            path={[]}
            problems={[...refused('options'), ...shown(optionsProblems)]}
            onChange={(options) => patchSheet(store, callable.id, { options, refused: null })}
          />
        </CallOptions>
      )}
      <div className="call-run row gap-3">
        <button type="submit" className="button button-main" disabled={!live}>
          <Play size={16} aria-hidden />
          {callable.kind === 'skill' ? 'Run' : callable.kind === 'picture' ? 'Take it' : 'Ask'}
        </button>
        <span className="call-keys row-inline gap-1" aria-hidden>
          <CornerDownLeft size={14} /> {sheet.mode === 'json' ? 'with Ctrl or ⌘' : 'Enter'}
        </span>
        <button
          type="button"
          className="button button-quiet"
          onClick={() => store.setState(({ sheets }) => ({ sheets: { ...sheets, [callable.id]: newSheet(callable) } }))}
        >
          Clear
        </button>
      </div>
      {!live && <p className="muted">The robot accepts calls when it is in its room again.</p>}
    </form>
  );
}

/** The options, folded until a person opens them or one of them has a problem. They never fold while the person types. */
function CallOptions({ wrong, children }: { wrong: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="call-options" open={open || wrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Options of the call</summary>
      <div className="field-parts stack gap-3">{children}</div>
    </details>
  );
}

/** Sends on Ctrl+Enter or ⌘+Enter from everywhere; in single-line fields, Enter alone already sends. */
function sendByKeys(event: KeyboardEvent, submit: () => void): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  submit();
}

function ModeSwitch({ callable, sheet }: { callable: Callable; sheet: Sheet }) {
  const store = useConsoleStore();
  return (
    <div className="segments call-mode">
      {(['form', 'json'] as const).map((mode) => (
        <label key={mode} className="segment">
          <input
            type="radio"
            name="call-mode"
            checked={sheet.mode === mode}
            onChange={() => switchMode(store, callable, sheet, mode)}
          />
          <span>{mode === 'form' ? 'Form' : 'JSON'}</span>
        </label>
      ))}
    </div>
  );
}

interface JsonFieldProps {
  callable: Callable;
  sheet: Sheet;
  problems: readonly Problem[];
  jsonProblem: string | null;
  refused: readonly Problem[];
}

function JsonField({ callable, sheet, problems, jsonProblem, refused }: JsonFieldProps) {
  const store = useConsoleStore();
  const wrong = [
    ...(jsonProblem === null ? [] : [{ where: '', text: jsonProblem }]),
    ...[...refused, ...problems].map(({ path, text }) => ({ where: pathText(path), text })),
  ];
  const shownProblems = sheet.tried || jsonProblem !== null || problems.some(({ missing }) => !missing) ? wrong : [];
  return (
    <div className="field stack gap-1">
      <label className="field-label" htmlFor="call-json">
        <span>
          <Braces size={14} aria-hidden /> Input as JSON
        </span>
      </label>
      <textarea
        id="call-json"
        className="input input-code"
        rows={Math.min(14, Math.max(5, sheet.json.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={shownProblems.length > 0}
        aria-describedby="call-json-problems"
        value={sheet.json}
        onChange={(event) => patchSheet(store, callable.id, { json: event.target.value, source: 'json', refused: null })}
      />
      <ul id="call-json-problems" className="json-problems">
        {shownProblems.map(({ where, text }) => (
          <li key={`${where} ${text}`} className="field-problem">
            <span>
              {where !== '' && <code>{where}</code>} {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
