import { useEffect, useState } from 'react';
import { pageContractOf } from '../common/contract.ts';
import { useEngine } from '../common/engine-context.ts';
import { robotWordsOf } from '../common/robot-words.ts';
import { outcomeSentence } from '../common/texts.ts';

/** Announces the end of each skill to screen readers. Pictures are left out, because they would drown out everything else. */
export function Announcer() {
  const { store } = useEngine();
  const [sentence, setSentence] = useState('');
  useEffect(
    () =>
      store.subscribe(({ actions, profile, robotKind }, before) => {
        if (actions === before.actions) return;
        const running = new Set(before.actions.filter(({ status }) => status === 'running').map(({ actionId }) => actionId));
        // A stop and the actions it stopped end together. All are announced in the order in which they began.
        const ended = actions
          .filter((action) => action.kind === 'tool' && action.status !== 'running' && running.has(action.actionId))
          // Each manual command of the cockpit ends at once; the cockpit itself reports the important ones.
          .filter(({ stroke }) => pageContractOf({ profile }).controls !== 'cockpit' || stroke === undefined)
          .toReversed();
        if (ended.length > 0) setSentence(ended.map((action) => outcomeSentence(action, robotWordsOf({ robotKind }))).join(' '));
      }),
    [store],
  );
  return (
    <p className="visually-hidden" role="status">
      {sentence}
    </p>
  );
}
