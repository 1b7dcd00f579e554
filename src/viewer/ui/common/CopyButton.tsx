import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useToast } from './Toasts.tsx';

const COPIED_FOR_MS = 1_600;

/** A button that copies a text, which is created at the click. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
    } catch {
      toast(
        'Nothing was copied',
        'The browser does not let this page write to the clipboard. Allow it for this site, then copy again.',
      );
    }
  };
  return (
    <button type="button" className="button button-quiet" onClick={() => void copy()}>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  );
}
