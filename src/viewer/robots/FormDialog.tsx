import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { PageDialog } from '../ui/common/PageDialog.tsx';
import type { Result } from './account.ts';
import { ServiceText } from './ServiceText.tsx';

interface FormDialogProps {
  title: string;
  description: ReactNode;
  /** The label of the submit button, and its label while the form is submitted. */
  submitText: string;
  busyText: string;
  isDangerous?: boolean;
  /** Submits the form's values. The dialog closes on success and stays open on null. */
  onSubmit: (form: FormData) => Promise<Result<unknown> | null>;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with a form. It shows errors inside, and keeps what was typed. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submitText, busyText, isDangerous = false, onSubmit, onClose, children } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isBusyNow = useRef(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Two presses in a row count as one. The state updates too late for the second press.
    if (isBusyNow.current) return;
    isBusyNow.current = true;
    setBusy(true);
    setProblem(null);
    const result = await onSubmit(new FormData(event.currentTarget));
    isBusyNow.current = false;
    setBusy(false);
    if (result === null) return;
    if (result.ok) onClose();
    else setProblem(result.problem.text);
  };
  return (
    <PageDialog title={title} description={description} onClose={onClose}>
      <form className="form-dialog stack gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {children}
        <p className="problem" role="alert">
          <ServiceText text={problem} />
        </p>
        <div className="form-dialog-foot cluster">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={isDangerous ? 'button button-danger' : 'button button-main'} aria-busy={isBusy}>
            {isBusy ? busyText : submitText}
          </button>
        </div>
      </form>
    </PageDialog>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  /** The initial value. */
  initial?: string;
  maxLength?: number;
  isSecret?: boolean;
  placeholder?: string;
}

/** A text field of a form. Its value is stored in no attribute. */
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

/** Returns the trimmed value of a form's field. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** A problem that the page itself finds. */
export const wrong = (sentence: string): Result<never> => ({
  ok: false,
  problem: { kind: 'refused', text: sentence, retryAfterMs: null },
});
