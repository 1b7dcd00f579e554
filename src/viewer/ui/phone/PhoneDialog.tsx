import { QrCode, Smartphone, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { spanText } from '../../../protocol/room/room-key.ts';
import { LAN_CERTIFICATE_PATH, LAN_COMMAND } from '../../../protocol/service/lan.ts';
import { MANUAL_PATH } from '../../../protocol/service/manual.ts';
import { ownAddress } from '../../engine/own-server.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { useEngine } from '../common/engine-context.ts';
import { PageDialog } from '../common/PageDialog.tsx';
import { qrPath } from './qr-path.ts';
import { type PhoneWay, phoneWay } from './reach.ts';
import { useLanPlace } from './use-lan-place.ts';

/** Opens this tab's robot on a phone: instructions, and its link as a QR code, which is shown only on request. */
export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const held = useEngine().heldKey();
  const lan = useLanPlace();
  const way = held && lan !== undefined ? phoneWay(window.location.href, held.key, lan) : null;
  return (
    <PageDialog
      title="Open on a phone"
      description="The device that opens the link becomes the robot: the scene starts again there, and this tab steps aside. Anyone with the link can do that, so show it to no one else."
      className={way?.kind === 'link' ? 'phone-dialog' : undefined}
      onClose={onClose}
    >
      {!held && <p className="card-text">This tab has no key any more.</p>}
      {held && way?.kind === 'link' && <WayThere way={way} expiresAtMs={held.key.expiresAtMs} />}
      {way?.kind === 'none' && <NoWay {...way} />}
    </PageDialog>
  );
}

function NoWay({ problem, isStartable }: PhoneWay & { kind: 'none' }) {
  return (
    <>
      <p className="dialog-warning">
        <TriangleAlert size={16} aria-hidden />
        {problem}
      </p>
      {isStartable && (
        <>
          <ol className="phone-steps stack">
            <Step>
              In the terminal where this platform runs, end it (Ctrl-C), and start it for phones:
              <code className="phone-command">{LAN_COMMAND}</code>
            </Step>
            <Step>Open the link that it prints, and come back here: then there is a code to scan.</Step>
          </ol>
          <div className="dialog-foot cluster spread">
            <p className="row muted">
              <a href={PHONE_MANUAL} target="_blank" rel="noreferrer">
                The manual
              </a>{' '}
              has each step.
            </p>
            <CopyButton label="Copy the command" text={() => LAN_COMMAND} />
          </div>
        </>
      )}
    </>
  );
}

const PHONE_MANUAL = ownAddress(`${MANUAL_PATH}network.html`);

function WayThere({ way, expiresAtMs }: { way: PhoneWay & { kind: 'link' }; expiresAtMs: number }) {
  const [shown, setShown] = useState(false);
  const [openedAtMs] = useState(() => Date.now());
  const { link, origin, hasOwnCertificate, fingerprint } = way;
  return (
    <div className="phone-way">
      <div>
        <ol className="phone-steps stack">
          <Step>
            {hasOwnCertificate
              ? 'Connect the phone to the same network as this computer: its Wi-Fi, and not the one for guests.'
              : `Connect the phone to a network from which it reaches ${new URL(origin).host}.`}
          </Step>
          <Step>Scan the code with the phone’s camera, and open the link.</Step>
          {hasOwnCertificate && (
            <Step>
              The browser warns that the connection is not private: the computer made its certificate itself, so no authority
              knows it. Press <b>Advanced</b>, then <b>Proceed</b>.
            </Step>
          )}
        </ol>
        {hasOwnCertificate && (
          <p className="muted phone-note">
            An iPhone or iPad needs the certificate before step 2: open {origin + LAN_CERTIFICATE_PATH} on it and install it.{' '}
            <a href={PHONE_MANUAL} target="_blank" rel="noreferrer">
              Each step
            </a>
          </p>
        )}
        {fingerprint !== null && (
          <p className="muted phone-note">
            To be sure that it is this computer, compare the certificate’s SHA-256:
            <Fingerprint text={fingerprint} />
          </p>
        )}
      </div>
      <div>
        {shown ? (
          <QrPicture text={link} />
        ) : (
          <button type="button" className="qr-cover" onClick={() => setShown(true)}>
            <QrCode size={40} aria-hidden />
            Show the code
          </button>
        )}
        <div className="dialog-foot cluster spread">
          <p className="row muted">
            <Smartphone size={16} aria-hidden /> The link works for {spanText(expiresAtMs - openedAtMs)}.
          </p>
          <CopyButton label="Copy the link" text={() => link} />
        </div>
      </div>
    </div>
  );
}

/** A fingerprint whose lines break only between two bytes. */
const Fingerprint = ({ text }: { text: string }) => (
  <code className="phone-fingerprint small">
    {text.split(/(?<=:)/).map((byte, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bytes of a text keep their positions.
      <Fragment key={at}>
        {byte}
        <wbr />
      </Fragment>
    ))}
  </code>
);

const Step = ({ children }: { children: ReactNode }) => (
  <li>
    <span>{children}</span>
  </li>
);

function QrPicture({ text }: { text: string }) {
  const { size, path } = qrPath(text);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the link" shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
