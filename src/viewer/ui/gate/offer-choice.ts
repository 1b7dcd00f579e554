/** The choices for people, by id: a title, and a sentence about the chosen one. */
type Choices<Id extends string> = Readonly<Record<Id, { readonly title: string; readonly summary: string }>>;

/**
 * Fills one of the gate's choices for a robot of this tab.
 * @param name shared by the radio buttons
 * @param words the element that describes the chosen option
 * @param mistake the problem with the requested choice, shown until a choice is made
 * @returns a function that returns the current choice
 */
export function offerChoice<Id extends string>(
  field: HTMLFieldSetElement,
  textElement: HTMLElement,
  name: string,
  choices: Choices<Id>,
  first: Id,
  mistake: string | null,
): () => Id {
  let chosen = first;
  const say = (sentence: string, isWrong: boolean): void => {
    textElement.textContent = sentence;
    textElement.classList.toggle('is-wrong', isWrong);
  };
  const choose = (id: Id): void => {
    chosen = id;
    say(choices[id].summary, false);
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
  say(mistake ?? choices[first].summary, mistake !== null);
  return () => chosen;
}
