/** A choice that an address carries as a parameter. The usual one is not written into it. */
export interface AddressChoice<Id extends string> {
  /** Reads what a page's address asks for. What there is not counts as the usual one. */
  read(href: string): Id;
  /** Returns the address with this choice. The rest of the address is unchanged. */
  mark(href: string, id: Id): string;
}

/** Creates the choice that stands in this parameter. */
export function addressChoice<Id extends string>(
  parameter: string,
  isKnown: (id: unknown) => id is Id,
  usual: Id,
): AddressChoice<Id> {
  const read = (href: string): Id => {
    const asked = new URL(href).searchParams.get(parameter);
    return isKnown(asked) ? asked : usual;
  };
  return {
    read,
    mark(href, id) {
      if (read(href) === id) return href;
      const url = new URL(href);
      if (id === usual) url.searchParams.delete(parameter);
      else url.searchParams.set(parameter, id);
      return url.href;
    },
  };
}
