import { LoaderCircle } from 'lucide-react';
import { useRef } from 'react';
import { openProofFile } from './proof-intake.ts';
import { useReplay, useReplayEngine } from './replay-context.ts';
import { judgedText } from './replay-texts.ts';

/** The entry of the page: takes a proof, and shows why a file is not a proof. */
export function ProofEntry() {
  const engine = useReplayEngine();
  const file = useRef<HTMLInputElement>(null);
  const fileName = useReplay((state) => state.fileName);
  const isDone = useReplay((state) => state.judgement !== null || state.problem !== null);
  const title = useReplay((state) => judgedText(state).title);
  const text = useReplay((state) => judgedText(state).text);
  return (
    <main className="page-center">
      <div className="proof-card stack gap-4 surface-solid">
        <p className="proof-brand">SimpleSim</p>
        <h1>Check a run</h1>
        <p>
          A proof is a small file that a run leaves behind. This tab simulates the run again from it, checks whether it is true,
          and shows it. Nothing is sent anywhere.
        </p>
        {fileName !== null && !isDone && (
          <p className="row" role="status">
            <LoaderCircle size={16} aria-hidden className="spin" />
            Reading {fileName}
          </p>
        )}
        {fileName !== null && isDone && (
          <p className="problem" role="alert">
            <strong>
              {title}: {fileName}.
            </strong>{' '}
            {text}
          </p>
        )}
        <button type="button" className="button button-main" onClick={() => file.current?.click()}>
          Open a proof
        </button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="Open a proof"
          onChange={({ target }) => {
            const chosen = target.files?.item(0);
            target.value = '';
            if (chosen) void openProofFile(engine, chosen);
          }}
        />
        <p className="proof-help">Or drop it anywhere on this page.</p>
      </div>
    </main>
  );
}
