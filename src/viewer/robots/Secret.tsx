import { useState } from 'react';
import { CopyButton } from '../ui/common/CopyButton.tsx';

const CoveredText = () => (
  <>
    <span aria-hidden>••••••••••••</span>
    <span className="visually-hidden">covered</span>
  </>
);

/** A secret that is shown once: covered until the person reveals it, and copied without being shown. @param label what it is */
export function Secret({ label, value }: { label: string; value: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="secret cluster">
      <p className="secret-text">
        <span className="visually-hidden">{label}: </span>
        {isShown ? <code>{value}</code> : <CoveredText />}
      </p>
      <button type="button" className="button button-quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Cover' : 'Show'}
      </button>
      <CopyButton label={`Copy the ${label}`} text={() => value} />
    </div>
  );
}
