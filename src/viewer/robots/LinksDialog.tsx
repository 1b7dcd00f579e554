import { useCallback, useEffect, useRef, useState } from 'react';
import { shownName } from '../../common/shown-text.ts';
import type { Robot } from '../../protocol/service/control-service.ts';
import type { SessionLink } from '../../protocol/service/session-links.ts';
import { PageDialog } from '../ui/common/PageDialog.tsx';
import { attempt, readAll } from './account.ts';
import { endText, LINK_NAMES } from './link-texts.ts';
import { dayText, nameText } from './robot-texts.ts';
import { ServiceText } from './ServiceText.tsx';
import { useAccount } from './store-context.ts';

interface LinksDialogProps {
  robot: Robot;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

/** The valid links to a robot, each with its access and its expiry. */
export function LinksDialog({ robot, onDone, onClose }: LinksDialogProps) {
  const account = useAccount();
  const [links, setLinks] = useState<readonly SessionLink[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const reading = useRef<AbortController | null>(null);
  const read = useCallback(async () => {
    reading.current?.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    const result = await readAll(
      (page) => account.robots.listLinks(robot.id, { ...page, signal }),
      (page) => page.links,
    );
    if (signal.aborted) return;
    if (result.ok) setLinks(result.value);
    setProblem(result.ok ? null : result.problem.text);
  }, [account, robot.id]);
  useEffect(() => {
    void read();
    return () => reading.current?.abort();
  }, [read]);
  const revoke = async ({ id, participant_name: name }: SessionLink) => {
    if (busy !== null) return;
    setBusy(id);
    const result = await attempt(account.robots.revokeLink(robot.id, id));
    setBusy(null);
    if (result.ok) onDone(`The link of ${shownName(name)} is revoked.`);
    await read();
    if (!result.ok) setProblem(result.problem.text);
  };
  return (
    <PageDialog
      title={`Links to ${nameText(robot)}`}
      description="A revoked link opens nothing any more. Its pages leave the room within seconds."
      className="keys-dialog"
      onClose={onClose}
    >
      <p className="problem" role="alert">
        <ServiceText text={problem} />
      </p>
      {links === null && problem === null ? <p className="muted">Reading the links …</p> : null}
      {links?.length === 0 ? <p className="muted">No link to this robot is valid.</p> : null}
      <ul className="keys" aria-label="Valid links">
        {links?.map((link) => (
          <li key={link.id} className="key-row columns">
            <div className="key-names">
              <p className="key-name">{shownName(link.participant_name)}</p>
              <p className="muted">
                {LINK_NAMES[link.access]}, made {dayText(link.created_at)}, ends {endText(link.expires_at, Date.now())}
              </p>
            </div>
            <button
              type="button"
              className="button button-danger"
              aria-label={`Revoke the ${LINK_NAMES[link.access]} of ${shownName(link.participant_name)}`}
              aria-busy={busy === link.id}
              onClick={() => void revoke(link)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </PageDialog>
  );
}
