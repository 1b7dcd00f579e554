import { isRecord } from '../../../common/schema-texts.ts';
import type { ActionView } from '../../engine/types.ts';
import { type Callable, PICTURE_ID } from './callables.ts';
import { type ConsoleStore, patchSheet, type Sheet } from './console-store.ts';
import { draftOf, filledValue } from './form-model.ts';
import { type Problem, problemsOf } from './json-schema.ts';

/** The request that would be sent now. */
export interface Request {
  input: unknown;
  options: Record<string, unknown>;
  inputProblems: readonly Problem[];
  optionsProblems: readonly Problem[];
  /** Why the text is not valid JSON; this problem has no field. */
  jsonProblem: string | null;
}

/** Returns a sheet that starts with these values. */
export function newSheet(callable: Callable, input?: unknown, options?: Record<string, unknown>): Sheet {
  const draft = draftOf(callable.form, input);
  return {
    mode: 'form',
    draft,
    json: JSON.stringify(filledValue(callable.form, draft) ?? {}, null, 2),
    source: 'form',
    options: callable.options && draftOf(callable.options, options),
    tried: false,
    refused: null,
    runId: null,
  };
}

/** Opens a callable with its previous input, or with the given one. */
export function openCallable(
  store: ConsoleStore,
  id: string,
  start?: { input: unknown; options?: Record<string, unknown> },
): void {
  const { callables, sheets } = store.getState();
  const callable = callables.find((candidate) => candidate.id === id);
  if (!callable) {
    store.setState({ search: id, page: 'calls', openId: null });
    return;
  }
  const known = sheets[id];
  const sheet = start || !known ? sheetFor(callable, start) : known;
  store.setState({ openId: id, page: 'calls', sheets: { ...sheets, [id]: sheet } });
}

/** Returns a sheet for these values. Input that a form cannot show completely opens as JSON. */
function sheetFor(callable: Callable, start?: { input: unknown; options?: Record<string, unknown> }): Sheet {
  const sheet = newSheet(callable, start?.input, start?.options);
  if (!start || sameJson(filledValue(callable.form, sheet.draft), start.input)) return sheet;
  return { ...sheet, mode: 'json', source: 'json', json: JSON.stringify(start.input ?? {}, null, 2) };
}

/** Returns whether two values are equal as JSON, whatever the order of their properties. */
function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}

/** Returns an action of the list as a call of the console; null if the console cannot make it. */
export function callOfAction({ kind, name, input }: Pick<ActionView, 'kind' | 'name' | 'input'>): { id: string; input: unknown } {
  if (kind === 'tool') return { id: name, input };
  const { selector, options } = isRecord(input) ? input : {};
  const { width, height } = isRecord(options) ? options : {};
  const camera = isRecord(selector) ? selector.id : undefined;
  return { id: PICTURE_ID, input: { camera, width_px: width, height_px: height } };
}

/** Returns the value of JSON text, or why it has none. */
function readJson(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message.replace(/^JSON\.parse: /, '') : '';
    return { ok: false, problem: `This is not JSON yet${detail === '' ? '.' : `: ${detail}.`}` };
  }
}

/** Returns the request of a sheet, and all its problems. */
export function requestOf(callable: Callable, sheet: Sheet): Request {
  const options = (callable.options && sheet.options && filledValue(callable.options, sheet.options)) ?? {};
  const optionsProblems = callable.options ? problemsOf(callable.options.schema, options) : [];
  const read =
    sheet.mode === 'json' ? readJson(sheet.json) : { ok: true as const, value: filledValue(callable.form, sheet.draft) };
  return {
    input: read.ok ? read.value : undefined,
    options: isRecord(options) ? options : {},
    inputProblems: read.ok ? problemsOf(callable.form.schema, read.value) : [],
    optionsProblems,
    jsonProblem: read.ok ? null : read.problem,
  };
}

/** Switches to the form or to JSON. Each side adopts the last change of the other as far as possible. */
export function switchMode(store: ConsoleStore, callable: Callable, sheet: Sheet, mode: Sheet['mode']): void {
  if (mode === sheet.mode) return;
  if (mode === 'json') {
    const json = sheet.source === 'json' ? sheet.json : JSON.stringify(filledValue(callable.form, sheet.draft) ?? {}, null, 2);
    patchSheet(store, callable.id, { mode, json });
    return;
  }
  const read = readJson(sheet.json);
  const draft = sheet.source === 'json' && read.ok ? draftOf(callable.form, read.value) : sheet.draft;
  patchSheet(store, callable.id, { mode, draft });
}

/**
 * Returns whether the form shows less than the JSON contains. The page then shows a notice, because the form is what would be
 * sent.
 */
export function formShowsLess(callable: Callable, sheet: Sheet): boolean {
  if (sheet.mode !== 'form' || sheet.source !== 'json') return false;
  const read = readJson(sheet.json);
  return !read.ok || !sameJson(filledValue(callable.form, sheet.draft), read.value);
}
