import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { shownName } from '../../common/shown-text.ts';
import { API_KEY_NAME_MAX_LENGTH, type ApiKey } from '../../protocol/service/api-keys.ts';
import { PageDialog } from '../ui/common/PageDialog.tsx';
import { attempt, readAll } from './account.ts';
import { TextField, textOf } from './FormDialog.tsx';
import { agoText, dayText } from './robot-texts.ts';
import { Secret } from './Secret.tsx';
import { ServiceText } from './ServiceText.tsx';
import { useAccount, useRobotsStore } from './store-context.ts';

const DAY_S = 86_400;
/** The lifetimes of a new key, with their labels. */
const LIVES: readonly { text: string; ttlS: number | undefined }[] = [
  { text: 'until it is revoked', ttlS: undefined },
  { text: 'for a day', ttlS: DAY_S },
  { text: 'for 30 days', ttlS: 30 * DAY_S },
  { text: 'for a year', ttlS: 365 * DAY_S },
];

/** The API keys of the account: lists them, creates a new one, and revokes any of them. */
export function KeysDialog({ onDone, onClose }: { onDone: (sentence: string) => void; onClose: () => void }) {
  const account = useAccount();
  const [keys, setKeys] = useState<readonly ApiKey[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const reading = useRef<AbortController | null>(null);
  const read = useCallback(async () => {
    reading.current?.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    const result = await readAll(
      (page) => account.apiKeys.list({ ...page, signal }),
      (page) => page.keys,
    );
    if (signal.aborted) return;
    if (result.ok) setKeys(result.value);
    setProblem(result.ok ? null : result.problem.text);
  }, [account]);
  useEffect(() => {
    void read();
    return () => reading.current?.abort();
  }, [read]);
  return (
    <PageDialog
      title="API keys"
      description="A key gives full access to the robots of this account. Create one for each program, so that you can revoke it separately."
      className="keys-dialog"
      onClose={onClose}
    >
      {made === null ? (
        <NewKeyForm
          onMade={(name, key) => {
            setMade({ name, key });
            onDone(`The key ${name} is made.`);
            void read();
          }}
        />
      ) : (
        <div className="key-made">
          <p>
            <strong>{made.name}</strong> is made. Copy the key now: it is shown this once.
          </p>
          <Secret label="key" value={made.key} />
          <button type="button" className="button button-quiet" onClick={() => setMade(null)}>
            I have it
          </button>
        </div>
      )}
      <p className="problem" role="alert">
        <ServiceText text={problem} />
      </p>
      {keys === null ? (
        problem === null ? (
          <p className="muted">Reading the keys …</p>
        ) : null
      ) : (
        <ul className="keys" aria-label="Your API keys">
          {keys.map((key) => (
            <KeyRow key={key.id} row={key} isOnly={keys.length === 1} onDone={onDone} onRevoked={() => void read()} />
          ))}
        </ul>
      )}
    </PageDialog>
  );
}

function NewKeyForm({ onMade }: { onMade: (name: string, key: string) => void }) {
  const account = useAccount();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const name = textOf(form, 'key_name');
    if (name === '') {
      setProblem('The key needs a name, such as the program that uses it.');
      return;
    }
    setBusy(true);
    setProblem(null);
    const result = await attempt(account.apiKeys.create({ name, ttlS: LIVES[Number(form.get('life'))]?.ttlS }));
    setBusy(false);
    if (result.ok) onMade(shownName(result.value.key.name), result.value.api_key);
    else setProblem(result.problem.text);
  };
  return (
    <form className="new-key" onSubmit={(event) => void submit(event)} noValidate>
      <TextField name="key_name" label="Name of a new key" maxLength={API_KEY_NAME_MAX_LENGTH} placeholder="Sorting agent" />
      <div className="field stack gap-1">
        <label htmlFor="field-life">Good</label>
        <select id="field-life" name="life" className="input">
          {LIVES.map(({ text: sentence }, index) => (
            <option key={sentence} value={index}>
              {sentence}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button button-main" aria-busy={isBusy}>
        {isBusy ? 'Making it …' : 'Make a key'}
      </button>
      <p className="problem" role="alert">
        <ServiceText text={problem} />
      </p>
    </form>
  );
}

interface KeyRowProps {
  row: ApiKey;
  isOnly: boolean;
  onDone: (sentence: string) => void;
  onRevoked: () => void;
}

function KeyRow({ row, isOnly, onDone, onRevoked }: KeyRowProps) {
  const account = useAccount();
  const store = useRobotsStore();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const name = shownName(row.name);
  const revoke = async () => {
    if (isBusy) return;
    setBusy(true);
    const result = await attempt(account.apiKeys.revoke(row.id));
    setBusy(false);
    setAsking(false);
    if (!result.ok) {
      setProblem(result.problem.text);
      return;
    }
    onDone(`The key ${name} is revoked.`);
    if (row.is_own)
      store.forget({ text: 'The key that this page used is revoked, and forgotten. Paste another one.', isProblem: false });
    else onRevoked();
  };
  const hasEnded = row.expires_at !== null && Date.parse(row.expires_at) <= Date.now();
  return (
    <li className="key-row columns">
      <div className="key-names">
        <p className="key-name" title={name}>
          {name}
          {row.is_own ? <span className="key-own">this page uses it</span> : null}
        </p>
        <p className="muted">
          {row.prefix === '' ? '' : `${row.prefix}…, `}made {dayText(row.created_at)}
          {row.expires_at === null ? '' : `, ${hasEnded ? 'ended' : 'ends'} ${dayText(row.expires_at)}`}
          {row.last_used_at === null
            ? ', never used'
            : `, used ${agoText(Math.max(0, Date.now() - Date.parse(row.last_used_at)))}`}
        </p>
      </div>
      {isAsking ? (
        <span className="key-ask cluster">
          <button type="button" className="button" onClick={() => setAsking(false)}>
            Keep it
          </button>
          <button type="button" className="button button-danger" aria-busy={isBusy} onClick={() => void revoke()}>
            Revoke now
          </button>
        </span>
      ) : (
        <button
          type="button"
          className="button"
          aria-label={`Revoke ${name}`}
          disabled={isOnly}
          title={isOnly ? 'You cannot revoke your only key. Make another one first' : undefined}
          onClick={() => setAsking(true)}
        >
          Revoke
        </button>
      )}
      {isAsking ? (
        <p className="key-warning" role="status">
          {row.is_own
            ? 'This page uses this key: it is locked as soon as the key is revoked.'
            : 'Programs that use it are refused from now on. Sessions that they opened continue.'}
        </p>
      ) : null}
      {problem === null ? null : (
        <p className="problem" role="alert">
          <ServiceText text={problem} />
        </p>
      )}
    </li>
  );
}
