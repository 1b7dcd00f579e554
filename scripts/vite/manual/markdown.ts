/** Renders Markdown as HTML, as GitHub does, with its anchors of headings. */
import { Marked, type Token, type Tokens } from 'marked';
import { hrefIn, textOf } from './documents.ts';
import { escaped } from './escaped.ts';

const TABLE = '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>';
/** The ids that a page has around its text. */
const IDS_OF_PAGE = ['pages', 'language-ts', 'language-python', 'language-both'];
const PAIR = '<div class="pair" role="group" aria-label="The same program in TypeScript and Python">';
/** The note of a generated document, which its readers do not need. */
const NOTE_FOR_EDITORS = /^Made by `npm run [^\n]*?; do not edit by hand\.\s*/m;

/** Returns the anchor of a heading, as GitHub derives it. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

export interface Rendered {
  html: string;
  /** The headings of the second level, with their anchors. */
  sections: readonly { title: string; anchor: string }[];
  /** Whether a program is shown in both languages. */
  hasPairs: boolean;
}

/**
 * Returns a document as HTML. A TypeScript block directly followed by a Python block is a pair: the same program in both
 * languages.
 * @param names of the pages, by the path of their documents
 */
export function rendered(path: string, names: ReadonlyMap<string, string>): Rendered {
  const sections: { title: string; anchor: string }[] = [];
  const used = new Set(IDS_OF_PAGE);
  /** As GitHub does, a repeated heading gets the first free number at the end of its anchor. */
  const addressOf = (text: string): string => {
    const anchor = anchorOf(text);
    let free = anchor;
    for (let number = 1; used.has(free); number += 1) free = `${anchor}-${number}`;
    used.add(free);
    return free;
  };
  const marked = new Marked({
    gfm: true,
    extensions: [
      {
        name: 'pair',
        renderer({ tokens = [] }) {
          const blocks = tokens.map((token) => `<div class="${(token as Tokens.Code).lang}">${this.parser.parse([token])}</div>`);
          return `${PAIR}${blocks.join('')}</div>\n`;
        },
      },
    ],
    hooks: {
      processAllTokens: (tokens) => withPairs(tokens as Token[]),
      // A block that is wider than a phone scrolls, with keys too. A table with its own scrolling would not be a table to a
      // screen reader.
      postprocess: (html) =>
        html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<table>', TABLE).replaceAll('</table>', '</table></div>'),
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const anchor = addressOf(text);
        const title = this.parser.parseInline(tokens);
        if (depth === 2) sections.push({ title: title.replaceAll(/<\/?a\b[^>]*>/g, ''), anchor });
        return `<h${depth} id="${anchor}">${title}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens);
        const to = hrefIn(path, href, names);
        return to === null ? label : `<a href="${escaped(to)}">${label}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(hrefIn(path, href, names) ?? '')}" alt="${escaped(text)}" loading="lazy">`;
      },
      // A document is text: text that looks like a tag is shown, and comments are for its authors.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
  const html = marked.parse(textOf(path).replace(NOTE_FOR_EDITORS, ''), { async: false });
  return { html, sections, hasPairs: html.includes(PAIR) };
}

/** Merges each pair of programs into one token. */
function withPairs(tokens: Token[]): Token[] {
  const isCode = (token: Token | undefined, lang: string): token is Tokens.Code => token?.type === 'code' && token.lang === lang;
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) continue;
    const next = tokens[at + 1]?.type === 'space' ? at + 2 : at + 1;
    const partner = tokens[next];
    if (isCode(token, 'ts') && isCode(partner, 'python')) {
      result.push({ type: 'pair', raw: token.raw + partner.raw, tokens: [token, partner] });
      at = next;
    } else result.push(token);
  }
  return result;
}
