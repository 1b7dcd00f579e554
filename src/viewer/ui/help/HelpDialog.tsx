import { useId, useState } from 'react';
import { MANUAL_PATH } from '../../../protocol/service/manual.ts';
import { MAX_SEED } from '../../../protocol/wire/limits.ts';
import { ROBOTS } from '../../../protocol/wire/robot.ts';
import { hasService } from '../../engine/has-service.ts';
import { ownAddress } from '../../engine/own-server.ts';
import { hasSkill } from '../common/contract.ts';
import { useViewer } from '../common/engine-context.ts';
import { PageDialog } from '../common/PageDialog.tsx';
import { setTheme, storedTheme, storeTheme, THEMES, type Theme } from '../common/theme.ts';
import { useSkillSteps } from '../world/things/use-skill-steps.ts';

const KEYS: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['Space'], 'stop the robot while it moves'],
  [['1', '2', '3'], 'look around the robot, from above, out of its head'],
  [['F'], 'follow the robot, or let it go'],
  [['R'], 'bring the view back'],
  [['G'], 'drive by hand, or stop driving'],
  [['W', 'A', 'S', 'D'], 'while driving: move; Q and E turn'],
  [['Esc'], 'close a card; let go of the robot'],
];

const PROGRAMS_ELSEWHERE = 'Programs drive a robot that you start on your own machine, with `npm start`.';

const THEME_TEXTS: Record<Theme, string> = { system: 'As the system', dark: 'Dark', light: 'Light' };

/** Explains the page, its keys, how to start again, and its appearance. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const local = useViewer((state) => state.local);
  const robotKind = useViewer((state) => state.robotKind);
  return (
    <PageDialog
      title="Help"
      description={
        <>
          This tab is a {ROBOTS[robotKind].title.toLowerCase()} robot: its body and the scene around it are simulated here.{' '}
          {local
            ? `Only this page drives it. ${hasService() ? 'With a room key, programs can drive it too.' : PROGRAMS_ELSEWHERE}`
            : 'Programs and people in its room drive it, and so can you: by hand, by its skills, or by a click on a thing.'}{' '}
          The{' '}
          <a href={ownAddress(MANUAL_PATH)} target="_blank" rel="noreferrer">
            manual
          </a>{' '}
          explains the rest.
        </>
      }
      className="help"
      onOpenAutoFocus={focusWhole}
      onClose={onClose}
    >
      <h2 className="section-title">Keys</h2>
      <dl className="help-keys">
        {KEYS.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <StartAgain />
      <ThemeChoice />
    </PageDialog>
  );
}

/** Focuses the whole dialog, because people read first, and keys would be typed into a focused field. */
function focusWhole(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

/** Resets the scene. A robot with the physical robot's contract has no such skill. */
function StartAgain() {
  const profile = useViewer((state) => state.profile);
  const live = useViewer((state) => state.phase === 'live');
  const present = useViewer((state) => state.runtime?.robot.extra.sim.seed ?? 1);
  const [typed, setTyped] = useState<string | null>(null);
  const { outcome, run } = useSkillSteps();
  const id = useId();
  if (!live || !hasSkill({ profile }, 'reset')) return null;
  const seed = typed ?? String(present);
  return (
    <form
      className="help-again"
      onSubmit={(event) => {
        event.preventDefault();
        run({ label: 'Start again', steps: [{ name: 'reset', input: seed === '' ? {} : { seed: Number(seed) } }] });
      }}
    >
      <h2 className="section-title">Start again</h2>
      <p className="muted">
        Puts the robot and all things back to the start and ends what runs. Each seed has a row of cubes of its own; the same seed
        always gives the same row.
      </p>
      <div className="help-row cluster">
        <label htmlFor={id}>Seed</label>
        <input
          id={id}
          className="input input-small"
          type="number"
          min={0}
          max={MAX_SEED}
          step={1}
          value={seed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="button">
          Start again
        </button>
      </div>
      <p role="status" className={outcome?.tone === 'bad' ? 'text-bad' : 'muted'}>
        {outcome?.text}
      </p>
    </form>
  );
}

function ThemeChoice() {
  const [theme, setChosen] = useState(() => storedTheme());
  const choose = (next: Theme) => {
    setChosen(next);
    setTheme(document, next);
    storeTheme(next);
  };
  return (
    <fieldset className="help-theme">
      <legend className="section-title">Theme</legend>
      <div className="segments">
        {THEMES.map((each) => (
          <label key={each} className="segment">
            <input type="radio" name="theme" checked={theme === each} onChange={() => choose(each)} />
            <span>{THEME_TEXTS[each]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
