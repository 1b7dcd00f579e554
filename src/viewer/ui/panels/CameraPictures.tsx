import { Camera, Maximize2, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { idBesideTitle } from '../common/camera-texts.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { type PlaceCamera, placeCameras } from '../common/place-cameras.ts';
import { SavePicture } from './SavePicture.tsx';
import { useTakePicture } from './TakePicture.tsx';
import { useCameraFeed } from './use-camera-feed.ts';

/** Explains the picture, and why it is paler than the world beside it. */
export const CAMERA_COLOURS =
  'What programs get: the same scene in muted colours. Only what can be moved has strong ones, so that a colour detector finds that and nothing else. The skill “Choose what cameras draw” changes it.';
const SMALL = { widthPx: 384, heightPx: 216, everyMs: 2_000 };
const LARGE = { widthPx: 1024, heightPx: 576, everyMs: 1_000 };

/** A small picture per camera, updated every two seconds; a click enlarges it. */
export function CameraPictures() {
  const engine = useEngine();
  // The new scene may have other cameras.
  const layoutVersion = useViewer((state) => state.layoutVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version represents the layout.
  const cameras = useMemo(() => placeCameras(engine.layout()), [engine, layoutVersion]);
  const [enlargedId, setEnlargedId] = useState<string | null>(null);
  const enlarged = cameras.find(({ id }) => id === enlargedId) ?? null;
  return (
    <>
      <ul className="camera-list stack">
        {cameras.map((camera) => (
          <li key={camera.id}>
            <button
              type="button"
              className="camera-button"
              aria-label={`Enlarge the picture of the ${camera.title.toLowerCase()} camera`}
              onClick={() => setEnlargedId(camera.id)}
            >
              {/* Only one picture is taken at a time, which is enough work for a weak machine. */}
              <Picture camera={camera} size={SMALL} active={enlarged === null} />
              <Maximize2 size={14} aria-hidden className="camera-hint" />
            </button>
            <SavePicture camera={camera.id} word={camera.title.toLowerCase()} className="camera-save" />
          </li>
        ))}
      </ul>
      {enlarged && <EnlargedCamera camera={enlarged} onClose={() => setEnlargedId(null)} />}
    </>
  );
}

function Picture({ camera, size, active }: { camera: PlaceCamera; size: typeof SMALL; active: boolean }) {
  const { canvas, state, problem } = useCameraFeed(camera.id, size, active);
  return (
    <figure className="camera-picture" data-state={state} title={CAMERA_COLOURS}>
      <canvas ref={canvas} width={size.widthPx} height={size.heightPx} role="img" aria-label={`${camera.title} camera`} />
      {state === 'waiting' && <p className="camera-note">Waiting for the first picture</p>}
      {problem !== null && <p className="camera-note">{problem}</p>}
      <figcaption>
        {camera.title}{' '}
        {idBesideTitle(camera) !== null && (
          <span className="camera-id" translate="no">
            {camera.id}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

function EnlargedCamera({ camera, onClose }: { camera: PlaceCamera; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const takePicture = useTakePicture();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog automatically; the click is on the backdrop around it.
    <dialog
      ref={dialog}
      className="camera-dialog surface-solid"
      aria-label={`${camera.title} camera`}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <Picture camera={camera} size={LARGE} active />
      <div className="camera-actions">
        <SavePicture camera={camera.id} word={camera.title.toLowerCase()} label="Save" className="button" />
        <button
          type="button"
          className="button"
          title="Take a picture of a size of your own, with its intrinsics and pose"
          onClick={() => {
            dialog.current?.close();
            takePicture(camera.id);
          }}
        >
          <Camera size={16} aria-hidden />
          Take a picture
        </button>
      </div>
      <button
        type="button"
        className="icon-button camera-close"
        aria-label="Close the picture"
        onClick={() => dialog.current?.close()}
      >
        <X size={18} aria-hidden />
      </button>
    </dialog>
  );
}
