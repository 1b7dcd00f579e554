import { QrCode, Smartphone, TriangleAlert, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { inWords, type RoomKey } from '../../../protocol/room-key.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { useEngine } from '../common/engine-context.ts';
import { qrPath } from './qr-path.ts';
import { linkWithKey, reachProblems } from './reach.ts';

/** The link of this tab's robot as a QR code, shown only when asked for: whoever has it is the robot. */
export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const held = useEngine().heldKey();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog">
          <Dialog.Title className="card-title">Open on a phone</Dialog.Title>
          <Dialog.Description className="card-text">
            The device that opens this link becomes the robot, and this tab steps aside. Whoever scans the code can do that: show
            it to nobody else.
          </Dialog.Description>
          {held ? <LinkOf text={held.text} held={held.key} /> : <p className="card-text">This tab has no key any more.</p>}
          <Dialog.Close className="icon-button dialog-close" aria-label="Close">
            <X size={18} aria-hidden />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function LinkOf({ text, held: { sfuUrl, expiresAtMs } }: { text: string; held: RoomKey }) {
  const [shown, setShown] = useState(false);
  const [openedAtMs] = useState(() => Date.now());
  const link = linkWithKey(window.location.href, text);
  const problems = reachProblems(window.location.href, sfuUrl);
  return (
    <>
      {problems.map((sentence) => (
        <p key={sentence} className="dialog-warning">
          <TriangleAlert size={16} aria-hidden />
          {sentence}
        </p>
      ))}
      {shown ? (
        <QrPicture text={link} />
      ) : (
        <button type="button" className="qr-cover" onClick={() => setShown(true)}>
          <QrCode size={40} aria-hidden />
          Show the code
        </button>
      )}
      <div className="dialog-foot">
        <p className="muted">
          <Smartphone size={16} aria-hidden /> It works for {inWords(expiresAtMs - openedAtMs)}.
        </p>
        <CopyButton label="Copy the link" text={() => link} />
      </div>
    </>
  );
}

function QrPicture({ text }: { text: string }) {
  const { size, path } = qrPath(text);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the link" shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
