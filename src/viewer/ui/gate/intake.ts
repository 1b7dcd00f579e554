/** Pasted or dropped content. */
export type Intake = { kind: 'text'; text: string } | { kind: 'file'; file: File };

export interface IntakeHandlers {
  /** Whether the gate is open. Otherwise a paste belongs to the focused element. */
  isOpen(): boolean;
  onTaken(taken: Intake): void;
  /** Called when something starts or stops being dragged over the page. */
  onDragging(dragging: boolean): void;
}

/** Takes anything pasted on the page or dropped on it. A drop never navigates the tab away from its robot. */
export function watchIntake(page: Document, { isOpen, onTaken, onDragging }: IntakeHandlers): void {
  page.addEventListener('paste', (event) => {
    if (!isOpen() || !event.clipboardData) return;
    const taken = intakeOf(event.clipboardData);
    // Text in a field is inserted at the caret. A picture has no other target.
    if (!taken || (taken.kind === 'text' && isField(event.target))) return;
    event.preventDefault();
    onTaken(taken);
  });

  // Every element sends its own enter and leave events, so only the last leave counts.
  let inside = 0;
  const end = () => {
    inside = 0;
    onDragging(false);
  };
  page.addEventListener('dragenter', () => {
    inside += 1;
    if (isOpen()) onDragging(true);
  });
  page.addEventListener('dragleave', () => {
    inside -= 1;
    if (inside <= 0) end();
  });
  page.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || (!isOpen() && isField(event.target))) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = isOpen() ? 'copy' : 'none';
  });
  page.addEventListener('drop', (event) => {
    end();
    if (event.defaultPrevented || (!isOpen() && isField(event.target))) return;
    event.preventDefault();
    const taken = event.dataTransfer && isOpen() ? intakeOf(event.dataTransfer) : null;
    if (taken) onTaken(taken);
  });
}

/** Returns the content of a transfer. A picture dragged from another page includes its address, but the picture is meant. */
function intakeOf(data: DataTransfer): Intake | null {
  const file = data.files.item(0);
  if (file) return { kind: 'file', file };
  const text = data.getData('text/plain') || data.getData('text/uri-list');
  return text.trim() === '' ? null : { kind: 'text', text };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
