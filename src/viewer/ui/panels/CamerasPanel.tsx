import { X } from 'lucide-react';
import { CAMERA_COLOURS, CameraPictures } from './CameraPictures.tsx';
import { TakePictureButton } from './TakePicture.tsx';

/** The pictures of the robot's own cameras, small, at the left of the world. */
export function CamerasPanel({ onClose }: { onClose: () => void }) {
  return (
    <aside className="cameras-panel surface" aria-label="Robot’s cameras">
      <div className="panel-head row">
        <h2 className="section-title" title={CAMERA_COLOURS}>
          Robot’s cameras
        </h2>
        <TakePictureButton />
        <button type="button" className="icon-button icon-button-small" aria-label="Put the cameras away" onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </div>
      <CameraPictures />
    </aside>
  );
}
