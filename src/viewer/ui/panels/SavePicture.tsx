import { Download } from 'lucide-react';
import { useState } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';
import { pictureName, saveBlob } from '../console/download.ts';
import { takeJpeg } from '../console/run-call.ts';

/** The default size of a program's picture. */
const SIZE = { widthPx: 1280, heightPx: 720 };

interface SavePictureProps {
  camera: string;
  /** The camera's name for people: "head". */
  word: string;
  /** Whether the word appears beside the icon. */
  label?: string;
  className: string;
}

/** Takes a picture of a camera on one press and saves it as a file. */
export function SavePicture({ camera, word, label, className }: SavePictureProps) {
  const engine = useEngine();
  const toast = useToast();
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const { blob, frame } = await takeJpeg(engine, camera, SIZE.widthPx, SIZE.heightPx);
      saveBlob(`${pictureName(engine.store.getState().robot?.name ?? '', camera, frame.step)}.jpg`, blob);
    } catch (error) {
      toast('No picture was saved', error instanceof Error ? error.message : 'The picture could not be taken.');
    } finally {
      setSaving(false);
    }
  };
  return (
    <button
      type="button"
      className={className}
      aria-label={`Save a picture of the ${word} camera`}
      title={`Save what the ${word} camera sees now as a JPEG, ${SIZE.widthPx} × ${SIZE.heightPx}`}
      disabled={saving}
      onClick={() => void save()}
    >
      <Download size={label ? 16 : 14} aria-hidden />
      {label}
    </button>
  );
}
