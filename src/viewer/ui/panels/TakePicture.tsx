import { Camera } from 'lucide-react';
import { useEngine } from '../common/engine-context.ts';
import { useUiStore } from '../common/ui-store.ts';
import { PICTURE_ID } from '../console/callables.ts';
import { consoleOf } from '../console/console-store.ts';
import { openCallable } from '../console/sheet.ts';

/**
 * Returns a function that opens the console to take a picture: of any size, to be saved, with its intrinsics and the camera's
 * pose.
 */
export function useTakePicture(): (camera?: string) => void {
  const engine = useEngine();
  const ui = useUiStore();
  return (camera) => {
    openCallable(consoleOf(engine), PICTURE_ID, camera === undefined ? undefined : { input: { camera } });
    ui.setState({ tab: 'skills', panelOpen: true });
  };
}

/** Leads from the live pictures to one that can be saved. */
export function TakePictureButton() {
  const takePicture = useTakePicture();
  return (
    <button
      type="button"
      className="icon-button icon-button-small"
      aria-label="Take a picture"
      title="Take a picture of a size of your own"
      onClick={() => takePicture()}
    >
      <Camera size={16} aria-hidden />
    </button>
  );
}

/** The same button with a text, below the pictures on a phone. */
export function TakePicture() {
  const takePicture = useTakePicture();
  return (
    <button type="button" className="button" onClick={() => takePicture()}>
      <Camera size={16} aria-hidden />
      Take a picture
    </button>
  );
}
