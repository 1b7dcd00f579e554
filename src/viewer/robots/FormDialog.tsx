import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { PageDialog } from '../ui/common/PageDialog.tsx';
import type { Result } from './account-service.ts';
import { ServiceWords } from './ServiceWords.tsx';

interface FormDialogProps {
  title: string;
  description: ReactNode;
  /** The words on the button that does it, and while it is done. */
  submitWords: string;
  busyWords: string;
  isDangerous?: boolean;
  /** Carries out what the form holds. The dialog closes when that went well, and stays at null. */
  onSubmit: (form: FormData) => Promise<Result<unknown> | null>;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with a form. What goes wrong is said in it, and what was typed stays. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submitWords, busyWords, isDangerous = false, onSubmit, onClose, children } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isBusyNow = useRef(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Two presses in a row are one: the state comes too late for the second.
    if (isBusyNow.current) return;
    isBusyNow.current = true;
    setBusy(true);
    setProblem(null);
    const result = await onSubmit(new FormData(event.currentTarget));
    isBusyNow.current = false;
    setBusy(false);
    if (result === null) return;
    if (result.ok) onClose();
    else setProblem(result.problem.words);
  };
  return (
    <PageDialog title={title} description={description} onClose={onClose}>
      <form className="form-dialog stack gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {children}
        <p className="problem" role="alert">
          <ServiceWords text={problem} />
        </p>
        <div className="form-dialog-foot cluster">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={isDangerous ? 'button button-danger' : 'button button-main'} aria-busy={isBusy}>
            {isBusy ? busyWords : submitWords}
          </button>
        </div>
      </form>
    </PageDialog>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  /** What it holds at first. */
  initial?: string;
  maxLength?: number;
  isSecret?: boolean;
  placeholder?: string;
}

/** A line of a form. What is typed is in no attribute. */
export function TextField({ name, label, initial, maxLength, isSecret = false, placeholder }: TextFieldProps) {
  const id = `field-${name}`;
  return (
    <div className="field stack gap-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        className={isSecret ? 'input secret-field' : 'input'}
        type="text"
        defaultValue={initial}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  );
}

/** Returns what a field of a form holds, without the spaces around it. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** A problem that the page itself finds. */
export const wrong = (words: string): Result<never> => ({
  ok: false,
  problem: { kind: 'refused', words, retryAfterMs: null },
});
