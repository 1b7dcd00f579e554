import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../common/CopyButton.tsx';
import { useViewer } from '../common/engine-context.ts';
import { type CodeFacts, platformOf } from './code/code-facts.ts';
import { pythonProgram } from './code/python.ts';
import { typescriptProgram } from './code/typescript.ts';

const LANGUAGES = { typescript: 'TypeScript', python: 'Python' } as const;
type Language = keyof typeof LANGUAGES;

/** A call as an equivalent program, to be copied. */
export function CodeView({ call }: { call: Omit<CodeFacts, 'robotId' | 'profile' | 'platform'> }) {
  const robotId = useViewer((state) => state.robot?.id ?? null);
  const [language, setLanguage] = useState<Language>('typescript');
  const profile = useViewer((state) => state.profile);
  const facts = { ...call, robotId, profile, platform: platformOf(location) };
  const text = language === 'typescript' ? typescriptProgram(facts) : pythonProgram(facts);
  const view = useRef<HTMLDivElement>(null);
  // The view opens below the pressed control, most often below the edge.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the effect's cleanup.
    void view.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="code-view" ref={view}>
      <div className="code-head">
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code" tabIndex={0} aria-label={`The call in ${LANGUAGES[language]}`}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
