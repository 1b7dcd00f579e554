import { Camera } from 'lucide-react';
import { useState } from 'react';
import { useViewer } from '../common/engine-context.ts';
import { counted } from '../common/format.ts';
import { ActionRow } from './ActionRow.tsx';

/** Everything that was asked of the robot, newest first. */
export function ActionsPanel() {
  const actions = useViewer((state) => state.actions);
  const [withPictures, setWithPictures] = useState(true);
  const [openId, setOpenId] = useState<string | null>(null);
  const pictureCount = actions.filter(({ kind }) => kind === 'capture').length;
  const shown = withPictures ? actions : actions.filter(({ kind }) => kind !== 'capture');
  if (actions.length === 0) {
    return (
      <div className="empty">
        <p>Nothing has been asked of the robot yet.</p>
        <p className="muted">When a client in the room calls a skill or takes a picture, it stands here with its result.</p>
      </div>
    );
  }
  return (
    <>
      <div className="list-head">
        <p className="muted">{counted(shown.length, 'action')}</p>
        {pictureCount > 0 && (
          <button
            type="button"
            className="button button-quiet"
            aria-pressed={withPictures}
            onClick={() => setWithPictures(!withPictures)}
          >
            <Camera size={14} aria-hidden />
            {withPictures ? 'Hide pictures' : `Show ${counted(pictureCount, 'picture')}`}
          </button>
        )}
      </div>
      <ul className="actions">
        {shown.map((action) => (
          <ActionRow key={action.actionId} action={action} open={action.actionId === openId} onOpen={setOpenId} />
        ))}
      </ul>
    </>
  );
}
