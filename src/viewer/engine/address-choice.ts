import { listed, quoted, shownId } from '../../protocol/shown-text.ts';

/** A choice that an address carries as a parameter. The default is not written into the address. */
export interface AddressChoice<Id extends string> {
  /** Reads the choice from a page's address. An unknown value counts as the default. */
  read(href: string): Id;
  /** Returns a sentence that names the unknown value in the address and the valid ones; null when the address is valid. */
  mistake(href: string): string | null;
  /** Returns the address with this choice. The rest of the address is unchanged. */
  mark(href: string, id: Id): string;
}

/** Creates the choice for a URL parameter. The parameter's name is also the word for it in sentences. */
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
