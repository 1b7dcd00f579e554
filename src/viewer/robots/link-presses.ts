/** A press of a button that makes a link. */
export interface LinkPress {
  /** Notes that the link is made, or that it failed. */
  end(): void;
  /**
   * Notes that the link's tab is being opened. @returns a function to call when the result is known; it returns false if another
   * press has come since
   */
  opening(): () => boolean;
}

/** Decides which button presses count, among the buttons that make links of one robot. */
export interface LinkPresses<Kind> {
  /** Starts a press. @returns null for a press that does not count */
  begin(kind: Kind): LinkPress | null;
}

/**
 * Creates the filter. Two presses in a row of one button count as one, also while its tab opens. A press of another button counts
 * as soon as the link is made. A person who returns from the new tab need not wait until this page detects that it was opened.
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
