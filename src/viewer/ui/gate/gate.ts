import type { Engine } from '../../engine/types.ts';

/** The gate's elements, as `index.html` writes them. */
interface GateElements {
  root: HTMLElement;
  form: HTMLFormElement;
  key: HTMLInputElement;
  show: HTMLButtonElement;
  problem: HTMLElement;
  submit: HTMLButtonElement;
  tryHere: HTMLButtonElement;
}

export interface Gate {
  /** Shows the gate whenever the engine has no key, hands pasted keys to it and shows why one was refused. */
  serve(engine: Engine): void;
  /** Asks for a key although the engine does not: another one than the one that ended. */
  ask(): void;
  /** Says that the page itself could not be loaded. */
  fail(sentence: string): void;
}

function findElements(page: Document): GateElements {
  const find = <T extends HTMLElement>(id: string, type: new () => T): T => {
    const element = page.getElementById(id);
    if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} with the id ${id}`);
    return element;
  };
  return {
    root: find('gate', HTMLElement),
    form: find('gate-form', HTMLFormElement),
    key: find('gate-key', HTMLInputElement),
    show: find('gate-show', HTMLButtonElement),
    problem: find('gate-problem', HTMLElement),
    submit: find('gate-submit', HTMLButtonElement),
    tryHere: find('gate-try', HTMLButtonElement),
  };
}

/**
 * Brings the gate of `index.html` to life. A key that is given before the engine is there waits for it.
 * @param expectsKey a key is there already: the gate steps aside, and comes back should the key be refused
 * @throws when the page has no gate: index.html and this file belong together.
 */
export function openGate(page: Document, expectsKey: boolean): Gate {
  const { root, form, key, show: showButton, problem, submit, tryHere } = findElements(page);
  let engine: Engine | null = null;
  let waitingForEngine = false;
  let asked = false;
  let triesHere = false;

  const showProblem = (sentence: string | null) => {
    problem.textContent = sentence ?? '';
    if (sentence === null) key.removeAttribute('aria-invalid');
    else key.setAttribute('aria-invalid', 'true');
  };
  const setBusy = (busy: boolean) => {
    submit.setAttribute('aria-busy', String(busy));
    submit.textContent = busy ? 'Connecting' : 'Connect';
  };
  const hand = (to: Engine) => {
    to.connect(key.value);
    const { gateProblem } = to.store.getState();
    setBusy(false);
    showProblem(gateProblem);
    // A key that was taken does not stay in the page; a refused one does, to be mended.
    if (gateProblem !== null) return key.focus();
    clearKey();
    asked = false;
    show();
  };
  const clearKey = () => {
    key.value = '';
    setShown(false);
  };
  const setShown = (shown: boolean) => {
    key.classList.toggle('is-shown', shown);
    showButton.setAttribute('aria-pressed', String(shown));
    showButton.textContent = shown ? 'Hide' : 'Show';
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (engine) return hand(engine);
    waitingForEngine = true;
    setBusy(true);
  });
  tryHere.addEventListener('click', () => {
    triesHere = true;
    if (engine) leaveFor(engine);
  });
  const leaveFor = (to: Engine) => {
    triesHere = false;
    to.disconnect();
    to.tryHere();
  };
  showButton.addEventListener('click', () => {
    setShown(!key.classList.contains('is-shown'));
    key.focus();
  });
  key.addEventListener('input', () => showProblem(null));

  const show = () => {
    const phase = engine?.store.getState().phase ?? (expectsKey ? 'loading' : 'gate');
    const open = phase === 'gate' || asked;
    const opens = open && root.hidden;
    root.hidden = !open;
    page.documentElement.toggleAttribute('data-gate', open);
    if (opens) key.focus();
  };

  show();
  if (!root.hidden) key.focus();

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
      if (triesHere) leaveFor(served);
      else if (waitingForEngine) hand(served);
    },
    ask() {
      asked = true;
      show();
    },
    fail(sentence) {
      setBusy(false);
      asked = true;
      show();
      showProblem(sentence);
    },
  };
}
