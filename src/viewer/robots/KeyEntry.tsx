import { KeyRound } from 'lucide-react';
import { type FormEvent, useId, useRef } from 'react';
import { ServiceText } from './ServiceText.tsx';
import { useRobotsState, useRobotsStore } from './store-context.ts';

/** Asks for an API key. The field is read once and emptied: the key is in no attribute, store or address. */
export function KeyEntry() {
  const store = useRobotsStore();
  const { access, accessNotice, problem } = useRobotsState();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const isChecking = access === 'checking';
  const notice = problem ? { text: problem.text, isProblem: true } : isChecking ? null : accessNotice;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = field.current;
    if (input === null || isChecking) return;
    const key = input.value;
    input.value = '';
    store.take(key);
    if (store.read().access === 'none') input.focus();
  };
  return (
    <main className="page-center">
      <div className="key-card surface-solid">
        <h1>Your robots</h1>
        <p className="card-text">
          See what each robot does, open it, make new ones, and manage API keys. This needs an API key of your account.
        </p>
        <form className="stack" onSubmit={submit} noValidate>
          <label htmlFor={id}>API key</label>
          <input
            id={id}
            ref={field}
            className="input secret-field"
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            placeholder="sk_live_…"
            aria-describedby={`${id}-help`}
            aria-invalid={notice?.isProblem ? true : undefined}
          />
          <p className={notice?.isProblem ? 'problem' : 'key-notice'} role="alert">
            <ServiceText text={notice?.text} />
          </p>
          <button type="submit" className="button button-main" aria-busy={isChecking}>
            <KeyRound size={16} aria-hidden />
            {isChecking ? 'Looking at the key …' : 'Show my robots'}
          </button>
          {isChecking ? (
            <button type="button" className="button button-quiet" onClick={() => store.forget()}>
              Cancel
            </button>
          ) : null}
        </form>
        <p id={`${id}-help`} className="muted key-help">
          That of <code>npm start</code> is <code>api_key</code> in <code>.simplesim/local.json</code>; elsewhere the operator of
          the service makes one. The key stays in the memory of this tab: a reload, or closing the tab, forgets it.
        </p>
        <p className="key-foot cluster spread">
          <a href="./">Open one robot with its room key</a>
          <a href="./manual/operators.html" target="_blank" rel="noreferrer">
            Help
          </a>
        </p>
      </div>
    </main>
  );
}
