import { encodeQR } from 'qr';
import { xml } from '../headless/eval/junit.ts';

/** A pupil's robot on the sheet. */
export interface ClassRow {
  name: string;
  robotId: string;
  /** A secret: it makes a tab the robot. */
  link: string;
}

/**
 * Returns a page to print: for each name the link to its robot and the link's QR code. It loads nothing.
 * @param endsAt when the links end
 */
export function classPage(rows: readonly ClassRow[], endsAt: Date): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Robots of the class</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
  li { padding: 1rem; border: 1px solid #8888; border-radius: 0.75rem; break-inside: avoid; }
  h2 { margin: 0 0 0.5rem; font-size: 1.25rem; overflow-wrap: anywhere; }
  svg { display: block; width: 100%; background: #fff; }
  code { font-size: 0.75rem; overflow-wrap: anywhere; }
  @media print { body { margin: 0; max-width: none; } .screen { display: none; } a { color: inherit; text-decoration: none; } }
</style>
</head>
<body>
<h1>Robots of the class</h1>
<p>Open your link, or scan its code: the tab is then your robot. The links end at ${xml(timeWords(endsAt))}.</p>
<p class="screen">Each link is a secret: a person who has it can control that robot. Print this page, and delete the file after the lesson.</p>
<ul>
${rows.map(card).join('\n')}
</ul>
</body>
</html>
`;
}

function card({ name, robotId, link }: ClassRow): string {
  return `<li>
<h2>${xml(name)}</h2>
<div role="img" aria-label="QR code of the link">${encodeQR(link, 'svg', { ecc: 'low', border: QUIET_ZONE })}</div>
<p><a href="${xml(link)}">Open this robot</a></p>
<code>${xml(robotId)}</code>
</li>`;
}

/** Width in modules of the quiet zone around a code, as the standard requires. */
const QUIET_ZONE = 4;

/** In the time of this machine. */
const timeWords = (at: Date): string => at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
