/** The choices for people, by id: a title, and a sentence about the chosen one. */
type Choices<Id extends string> = Readonly<Record<Id, { readonly title: string; readonly summary: string }>>;

/**
 * Fills one of the gate's choices for a robot of this tab.
 * @param name what the radio buttons share
 * @param words the place for what the chosen one is
 * @returns a function that tells which one is chosen
 */
export function offerChoice<Id extends string>(
  field: HTMLFieldSetElement,
  words: HTMLElement,
  name: string,
  choices: Choices<Id>,
  first: Id,
): () => Id {
  let chosen = first;
  const choose = (id: Id): void => {
    chosen = id;
    words.textContent = choices[id].summary;
  };
  for (const id of Object.keys(choices) as Id[]) {
    const page = field.ownerDocument;
    const input = page.createElement('input');
    Object.assign(input, { type: 'radio', name, value: id, checked: id === first });
    input.addEventListener('change', () => choose(id));
    const label = page.createElement('label');
    label.append(input, choices[id].title);
    field.append(label);
  }
  choose(first);
  return () => chosen;
}
