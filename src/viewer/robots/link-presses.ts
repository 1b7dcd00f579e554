/** A press of a button that makes a link. */
export interface LinkPress {
  /** The link is made, or there is none. */
  end(): void;
  /** Its tab is being opened. @returns what to call when it is known what became of that; false when another press has come since */
  opening(): () => boolean;
}

/** Decides which presses count, of the buttons that make links of one robot. */
export interface LinkPresses<Kind> {
  /** @returns null for a press that does not count */
  begin(kind: Kind): LinkPress | null;
}

/**
 * Two presses in a row of one button are one, also while its tab opens. Those of another button count as soon as the link is made: whoever
 * is back from the new tab does not wait for this page to find out that it was opened.
 */
export function createLinkPresses<Kind>(): LinkPresses<Kind> {
  let isMaking = false;
  let openingKind: Kind | null = null;
  let last = 0;
  return {
    begin(kind) {
      if (isMaking || openingKind === kind) return null;
      isMaking = true;
      openingKind = null;
      last += 1;
      const mine = last;
      return {
        end() {
          if (mine === last) isMaking = false;
        },
        opening() {
          if (mine === last) openingKind = kind;
          return () => {
            if (mine !== last) return false;
            openingKind = null;
            return true;
          };
        },
      };
    },
  };
}
