import { useEffect, useRef, useState } from 'react';
import { hasService } from '../../engine/has-service.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { useViewer } from '../common/engine-context.ts';
import { type CodeFacts, platformOf } from './code/code-facts.ts';
import { pythonProgram } from './code/python.ts';
import { typescriptProgram } from './code/typescript.ts';

const LANGUAGES = { typescript: 'TypeScript', python: 'Python' } as const;
type Language = keyof typeof LANGUAGES;

type Call = Omit<CodeFacts, 'robotId' | 'profile' | 'platform'>;

/**
 * A call as an equivalent program, for copying.
 * @param isWhole whether the call is complete
 */
export function CodeView({ call, isWhole = true }: { call: Call; isWhole?: boolean }) {
  const robotId = useViewer((state) => state.robot?.id ?? null);
  if (robotId === null) return <p className="muted">{hasService() ? TAB_ALONE : NO_SERVICE_HERE}</p>;
  if (!isWhole) return <p className="muted">{NOT_WHOLE}</p>;
  return <Program call={call} robotId={robotId} />;
}

const TAB_ALONE =
  'This robot is in this tab alone, where no program reaches it. Open a robot with a room key, and this call becomes a program for it.';
const NO_SERVICE_HERE =
  'This robot is in this tab alone, where no program reaches it. Run `npm start` on your own machine and open the link that it prints: then this call becomes a program.';
const NOT_WHOLE = 'Fill in the form above, and the call becomes a program.';

function Program({ call, robotId }: { call: Call; robotId: string }) {
  const [language, setLanguage] = useState<Language>('typescript');
  const profile = useViewer((state) => state.profile);
  const facts = { ...call, robotId, profile, platform: platformOf(location) };
  const text = language === 'typescript' ? typescriptProgram(facts) : pythonProgram(facts);
  const view = useRef<HTMLDivElement>(null);
  // The view opens below the pressed control, usually below the edge of the window.
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as the effect's cleanup.
    void view.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="stack" ref={view}>
      <div className="code-head cluster spread">
        <div className="segments">
          {(Object.keys(LANGUAGES) as Language[]).map((value) => (
            <label key={value} className="segment">
              <input type="radio" name="code-language" checked={language === value} onChange={() => setLanguage(value)} />
              <span>{LANGUAGES[value]}</span>
            </label>
          ))}
        </div>
        <CopyButton label="Copy the code" text={() => text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
      <section className="code" tabIndex={0} aria-label={`The call in ${LANGUAGES[language]}`}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
