import { useMemo, useState } from 'react';
import { BEST_LEVEL } from './quality.ts';
import { createQualityGovernor, type QualityGovernor } from './quality-governor.ts';

/** Returns a governor of the picture's quality, and the level that it has settled on. */
export function useQualityGovernor(): { governor: QualityGovernor; learned: number } {
  const [learned, setLearned] = useState(BEST_LEVEL);
  const governor = useMemo(() => {
    const inner = createQualityGovernor();
    const notifying = (notify: (gapMs: number) => void) => (gapMs: number) => {
      const before = inner.level();
      notify(gapMs);
      if (inner.level() !== before) setLearned(inner.level());
    };
    return { level: inner.level, frame: notifying(inner.frame), idle: notifying(inner.idle) };
  }, []);
  return { governor, learned };
}
