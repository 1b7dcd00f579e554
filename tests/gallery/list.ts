import { STATES } from './states.ts';

/** Shows the list of all states, with a link to each, instead of the page. */
export function listStates(page: Document): void {
  const list = page.createElement('ul');
  for (const [name, { says, embed }] of Object.entries(STATES)) {
    const link = page.createElement('a');
    link.href = `?state=${name}${embed === undefined ? '' : `&embed=1&${embed}`}`;
    link.textContent = name;
    const row = page.createElement('li');
    row.append(link, `: ${says}`);
    list.append(row);
  }
  const heading = page.createElement('h1');
  heading.textContent = 'States of the page';
  const main = page.createElement('main');
  main.append(heading, list);
  page.title = 'SimpleSim gallery';
  page.body.replaceChildren(main);
}
