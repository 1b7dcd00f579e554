import type { KeyContext } from '../../../protocol/room/room-key.ts';
import { REPLAY_PAGE } from '../../../protocol/service/replay-page.ts';
import { ROBOTS } from '../../../protocol/wire/robot.ts';
import { SCENES } from '../../../protocol/wire/scene-ids.ts';
import { tabItems } from '../../engine/browser-storage.ts';
import { formatOf } from '../../engine/file-format.ts';
import { readContract, readRobot, readScene, robotMistake, sceneMistake } from '../../engine/page-address.ts';
import { handProof, openAnew } from '../../engine/tab-storage.ts';
import type { Engine } from '../../engine/types.ts';
import { findGateElements } from './gate-elements.ts';
import { type Intake, watchIntake } from './intake.ts';
import { offerChoice } from './offer-choice.ts';
import { readFile } from './read-file.ts';
import type { GivenBy } from './read-given.ts';

export interface Gate {
  /** Shows the gate whenever the engine has no key, passes keys to it, and shows why a key was rejected. */
  serve(engine: Engine): void;
  /** Asks for a key in place of the ended one, although the engine does not. */
  ask(): void;
  /** Shows that the page itself could not be loaded. */
  fail(sentence: string): void;
}

const loadReading = () => import('./read-given.ts');
const PROOF_NOT_KEPT = `This file is the proof of a run, and the browser keeps nothing for this page. Open the file at /${REPLAY_PAGE}.`;
const TASK_OF_VISITOR = 'This page shows a robot that lives elsewhere. Open it without a link to do a task.';
const PART_MISSING = 'Part of this page could not be loaded. Check the connection and reload the page.';

const keyContext = ({ location }: Document): KeyContext => ({
  nowMs: Date.now(),
  pageProtocol: location.protocol,
  profile: readContract(location.href).profile,
});

/**
 * Activates the gate of `index.html`. It reads keys on its own, and keeps the input until the engine is ready.
 * @param expectsKey the page continues automatically: the gate is hidden, and returns if the key is rejected
 * @param visits whether the page's engine is for a robot that runs elsewhere; a key of the other kind reloads the page
 */
export function openGate(page: Document, expectsKey: boolean, visits: boolean): Gate {
  const {
    root,
    back,
    form,
    key,
    show: showButton,
    problem,
    submit,
    scenes,
    sceneText,
    robots,
    robotText,
    tryHere,
    scan,
    openFile,
    file,
    drop,
  } = findGateElements(page);
  const { href } = page.location;
  const chosenScene = offerChoice(scenes, sceneText, 'scene', SCENES, readScene(href), sceneMistake(href));
  const chosenRobot = offerChoice(robots, robotText, 'robot', ROBOTS, readRobot(href), robotMistake(href));
  let engine: Engine | null = null;
  /** The request to the engine, until it is ready. */
  let wish: { kind: 'key'; key: string } | { kind: 'try' } | { kind: 'task'; text: string } | null = null;
  let asked = false;

  const showProblem = (sentence: string | null) => {
    problem.textContent = sentence ?? '';
    if (sentence === null) key.removeAttribute('aria-invalid');
    else key.setAttribute('aria-invalid', 'true');
  };
  const setBusy = (busy: 'key' | 'try' | null) => {
    submit.setAttribute('aria-busy', String(busy === 'key'));
    submit.textContent = busy === 'key' ? 'Connecting' : 'Connect';
    tryHere.setAttribute('aria-busy', String(busy === 'try'));
    tryHere.textContent = busy === 'try' ? 'Opening' : 'Try it here';
  };
  const setShown = (shown: boolean) => {
    key.classList.toggle('is-shown', shown);
    showButton.setAttribute('aria-pressed', String(shown));
    showButton.textContent = shown ? 'Hide' : 'Show';
  };
  const refuse = (sentence: string) => {
    showProblem(sentence);
    focusKey();
  };
  // Focuses the key field, except on a touch screen, where the keyboard would cover half of the gate.
  const focusKey = () => {
    if (!page.defaultView?.matchMedia('(pointer: coarse)').matches) key.focus();
  };

  /** Accepts every form of key. The code that reads them is loaded with the first one. */
  const give = async (text: string, by: GivenBy) => {
    const reading = await loadReading().catch(() => null);
    if (reading === null) return refuse(PART_MISSING);
    const given = reading.readGiven(text, by, keyContext(page));
    if (!given.ok) return refuse(given.problem);
    if (given.isForVisitor !== visits) return openAnew(page, given.key);
    showProblem(null);
    wish = { kind: 'key', key: given.key };
    setBusy('key');
    void grant();
  };
  const giveFile = async (given: File) => {
    showProblem(null);
    const read = await readFile(given);
    if (!read.ok) return refuse(read.problem);
    const format = formatOf(read.text);
    if (format === 'task') await giveTask(read.text);
    else if (format !== 'proof') await give(read.text, read.by);
    else if (handProof(tabItems, given.name, read.text)) page.location.assign(REPLAY_PAGE);
    else refuse(PROOF_NOT_KEPT);
  };
  const giveTask = async (text: string) => {
    wish = { kind: 'task', text };
    await grant();
  };
  const grant = async () => {
    if (!engine || !wish) return;
    const granted = wish;
    wish = null;
    if (granted.kind === 'task') {
      if (!engine.tasks) return refuse(TASK_OF_VISITOR);
      const [problem] = await engine.tasks.playFile(granted.text).catch(() => [{ reason: PART_MISSING }]);
      return problem && refuse(problem.reason);
    }
    if (granted.kind === 'try') {
      engine.disconnect();
      engine.tryHere(chosenScene(), chosenRobot());
    } else engine.connect(granted.key);
    setBusy(null);
    const { gateProblem } = engine.store.getState();
    if (gateProblem !== null) return refuse(gateProblem);
    // An accepted key does not stay in the page. A rejected key does, so that it can be corrected.
    key.value = '';
    setShown(false);
    asked = false;
    show();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void give(key.value, 'hand');
  });
  key.addEventListener('input', () => showProblem(null));
  showButton.addEventListener('click', () => {
    setShown(!key.classList.contains('is-shown'));
    key.focus();
  });
  tryHere.addEventListener('click', () => {
    showProblem(null);
    wish = { kind: 'try' };
    setBusy('try');
    void grant();
  });
  back.addEventListener('click', () => {
    asked = false;
    showProblem(null);
    show();
  });
  openFile.addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    const chosen = file.files?.item(0);
    // The same file can be chosen again after a correction.
    file.value = '';
    if (chosen) void giveFile(chosen);
  });
  scan.addEventListener('click', async () => {
    showProblem(null);
    try {
      const [{ scanQrCode }, { readGiven }] = await Promise.all([import('./scan-dialog.ts'), loadReading()]);
      const problemWith = (text: string) => {
        const given = readGiven(text, 'qr', keyContext(page));
        return given.ok ? null : given.problem;
      };
      const text = await scanQrCode(page, problemWith);
      if (text !== null) await give(text, 'qr');
    } catch {
      refuse(PART_MISSING);
    }
  });
  watchIntake(page, {
    isOpen: () => !root.hidden && page.querySelector('dialog[open]') === null,
    onTaken(taken: Intake) {
      if (taken.kind === 'file') void giveFile(taken.file);
      else {
        // Shown, so that it can be corrected if it is wrong.
        key.value = taken.text.trim();
        void give(taken.text, 'hand');
      }
    },
    onDragging(dragging) {
      drop.hidden = !dragging;
    },
  });

  const show = () => {
    const phase = engine?.store.getState().phase ?? (expectsKey ? 'loading' : 'gate');
    const open = phase === 'gate' || asked;
    const opens = open && root.hidden;
    root.hidden = !open;
    back.hidden = engine === null || phase === 'gate';
    page.documentElement.toggleAttribute('data-gate', open);
    if (opens) focusKey();
  };

  show();
  if (!root.hidden) focusKey();

  return {
    serve(served) {
      engine = served;
      showProblem(served.store.getState().gateProblem);
      show();
      served.store.subscribe((state, before) => {
        if (state.gateProblem !== before.gateProblem) showProblem(state.gateProblem);
        if (state.phase === before.phase) return;
        asked = false;
        show();
      });
      void grant();
    },
    ask() {
      asked = true;
      show();
    },
    fail(sentence) {
      setBusy(null);
      asked = true;
      show();
      showProblem(sentence);
    },
  };
}
