/** The gate's elements from `index.html`. */
export interface GateElements {
  root: HTMLElement;
  back: HTMLButtonElement;
  form: HTMLFormElement;
  key: HTMLInputElement;
  show: HTMLButtonElement;
  problem: HTMLElement;
  submit: HTMLButtonElement;
  scenes: HTMLFieldSetElement;
  sceneText: HTMLElement;
  robots: HTMLFieldSetElement;
  robotText: HTMLElement;
  tryHere: HTMLButtonElement;
  scan: HTMLButtonElement;
  openFile: HTMLButtonElement;
  file: HTMLInputElement;
  drop: HTMLElement;
}

/** Returns the gate's elements. @throws when the page has no gate: index.html and this file belong together. */
export function findGateElements(page: Document): GateElements {
  const find = <T extends HTMLElement>(id: string, type: new () => T): T => {
    const element = page.getElementById(id);
    if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} with the id ${id}`);
    return element;
  };
  return {
    root: find('gate', HTMLElement),
    back: find('gate-back', HTMLButtonElement),
    form: find('gate-form', HTMLFormElement),
    key: find('gate-key', HTMLInputElement),
    show: find('gate-show', HTMLButtonElement),
    problem: find('gate-problem', HTMLElement),
    submit: find('gate-submit', HTMLButtonElement),
    scenes: find('gate-scenes', HTMLFieldSetElement),
    sceneText: find('gate-scene-words', HTMLElement),
    robots: find('gate-robots', HTMLFieldSetElement),
    robotText: find('gate-robot-words', HTMLElement),
    tryHere: find('gate-try', HTMLButtonElement),
    scan: find('gate-scan', HTMLButtonElement),
    openFile: find('gate-open', HTMLButtonElement),
    file: find('gate-file', HTMLInputElement),
    drop: find('gate-drop', HTMLElement),
  };
}
