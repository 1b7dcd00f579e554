import { listed, quoted, shownId } from '../../protocol/shown-text.ts';

/** A choice that an address carries as a parameter. The usual one is not written into it. */
export interface AddressChoice<Id extends string> {
  /** Reads what a page's address asks for. What there is not counts as the usual one. */
  read(href: string): Id;
  /** Says that there is not what the address asks for, and names what there is; null when nothing is wrong. */
  mistake(href: string): string | null;
  /** Returns the address with this choice. The rest of the address is unchanged. */
  mark(href: string, id: Id): string;
}

/** Creates the choice that stands in this parameter, which is also the word for it. */
export function addressChoice<Id extends string>(parameter: string, ids: readonly Id[], usual: Id): AddressChoice<Id> {
  const asked = (href: string): string | null => new URL(href).searchParams.get(parameter);
  const known = (wanted: string | null): Id | undefined => ids.find((id) => id === wanted);
  const read = (href: string): Id => known(asked(href)) ?? usual;
  return {
    read,
    mistake(href) {
      const wanted = asked(href);
      if (!wanted || known(wanted)) return null;
      return `There is no ${parameter} ${quoted(shownId(wanted))}; there are ${listed(ids)}.`;
    },
    mark(href, id) {
      if (read(href) === id) return href;
      const url = new URL(href);
      if (id === usual) url.searchParams.delete(parameter);
      else url.searchParams.set(parameter, id);
      return url.href;
    },
  };
}
