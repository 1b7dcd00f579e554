import '../styles/replay.css';
import { tabItems } from '../engine/browser-storage.ts';
import { createBrowserReplay } from '../engine/replay/browser-replay.ts';
import { takeHandedProof } from '../engine/tab-storage.ts';
import { setTheme, storedTheme } from '../ui/common/theme.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { mountWith } from '../ui/mount.tsx';
import { openProofAddress, openProofFile } from './proof-intake.ts';
import { ReplayApp } from './ReplayApp.tsx';

setTheme(document, storedTheme());
const engine = createBrowserReplay();
mountWith(document, engine, createUiStore({ camerasOpen: false }), <ReplayApp engine={engine} />);

const handed = takeHandedProof(tabItems);
if (handed !== null) engine.open(handed.name, handed.text);
else void openProofAddress(engine, location.href);

// A file dropped anywhere is meant for this page; otherwise the browser would navigate to the file.
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files.item(0);
  if (file) void openProofFile(engine, file);
});
