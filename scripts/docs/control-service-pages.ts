import { LIBRARY_FACE, PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { describeFace, refusalsOf } from '../../src/control-service/openapi.ts';
import type { Route } from '../../src/control-service/route.ts';
import { routesOf } from '../../src/control-service/routes.ts';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import { serviceCurls } from './service-curls.ts';

const MANUAL = 'control-service.md';

/** The descriptions of both faces, and the manual of the control service with its curls and its table of errors. */
export function controlServicePages(readDoc: (name: string) => string): Record<string, string> {
  const manual = withPart(withPart(readDoc(MANUAL), 'errors', errorTable()), 'curls', serviceCurls(PUBLIC_FACE));
  const pages: Record<string, string> = { [MANUAL]: manual };
  for (const face of [PUBLIC_FACE, LIBRARY_FACE]) {
    pages[`openapi.${face.name}.json`] = `${JSON.stringify(describeFace(face), null, 2)}\n`;
  }
  return pages;
}

/** The manual with a made part between its marks. */
function withPart(manual: string, name: string, text: string): string {
  const startMark = `<!-- ${name}: made by npm run docs -->`;
  const endMark = `<!-- end of ${name} -->`;
  const start = manual.indexOf(startMark);
  const end = manual.indexOf(endMark);
  if (start < 0 || end < start) throw new Error(`docs/${MANUAL} lost the marks around its ${name}: ${startMark} … ${endMark}`);
  return `${manual.slice(0, start + startMark.length)}\n${text}\n${manual.slice(end)}`;
}

function errorTable(): string {
  const routes = routesOf(LIBRARY_FACE);
  const operationsOf = (code: ServiceErrorCode): string => {
    const hasCode = (route: Route) => refusalsOf(route).includes(code);
    if (!routes.some(hasCode)) return 'none of them: other addresses and methods';
    if (routes.every(hasCode)) return 'all';
    if (routes.every((route) => hasCode(route) === (route.body !== undefined))) return 'all with a body';
    if (routes.filter(hasCode).length <= routes.length / 2) return namesOf(routes.filter(hasCode));
    return `all but ${namesOf(routes.filter((route) => !hasCode(route)))}`;
  };
  const codes = Object.entries(SERVICE_ERRORS).sort(([, a], [, b]) => a.status - b.status) as [
    ServiceErrorCode,
    (typeof SERVICE_ERRORS)[ServiceErrorCode],
  ][];
  const rows = codes.map(
    ([code, { status, summary, remedy }]) => `| ${status} | \`${code}\` | ${summary} | ${remedy} | ${operationsOf(code)} |`,
  );
  return ['| status | code | what it means | what to do | operations |', '|---|---|---|---|---|', ...rows].join('\n');
}

const namesOf = (routes: Route[]): string => routes.map((route) => `\`${route.operationId}\``).join(', ');
