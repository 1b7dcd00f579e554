/** Requests generated from the service's own description: its examples, unchanged, damaged or replaced by something else. */

import { LIBRARY_FACE, PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { describeFace } from '../../src/control-service/openapi.ts';
import type { Chance } from '../../tests/oracle/chance.ts';

export interface Operation {
  method: string;
  /** With `{robot_id}` if it contains one. */
  path: string;
  example: unknown;
  /** Answers that the description lists. */
  statuses: ReadonlySet<number>;
}

interface DescribedOperation {
  responses?: Record<string, unknown>;
  requestBody?: { content?: { 'application/json'?: { example?: unknown } } };
}

const METHODS = ['get', 'post', 'patch', 'delete', 'put'];
const SERVER_PREFIX: Record<string, string> = { public: '', library: '/rcs' };

/** Every operation of both faces, as described. */
export function operations(): Operation[] {
  return [PUBLIC_FACE, LIBRARY_FACE].flatMap((face) => {
    const document = describeFace(face) as unknown as { paths: Record<string, Record<string, DescribedOperation>> };
    return Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        if (!operation) return [];
        const example = operation.requestBody?.content?.['application/json']?.example;
        const statuses = new Set(Object.keys(operation.responses ?? {}).map(Number));
        return [{ method: method.toUpperCase(), path: `${SERVER_PREFIX[face.name] ?? ''}${path}`, example, statuses }];
      }),
    );
  });
}

const ODD: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -0.5,
  '',
  ' ',
  'x'.repeat(300),
  '\u0000',
  '☂😀',
  [],
  {},
  [[]],
  '__proto__',
  '../..',
  "'; drop table robots;--",
  '0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81',
];
const ODD_TEXTS = [
  '',
  '{',
  'null',
  '"text"',
  '[1,2',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '\ufeff{}',
  `${'['.repeat(200)}`,
  'NaN',
];
const ODD_IDS = ['0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81', 'nobody', '%00', '..%2f..', '%F0%9F%98%80', 'x'.repeat(200), '%'];
const QUERIES = ['', '', '', '?limit=1', '?limit=0', '?limit=x', '?limit=1&limit=2', '?after_id=nobody', '?%ff=1', '?a[]=1'];

/** Replaces some value of a JSON body by a wrong one, at any depth. */
function spoiled(value: unknown, chance: Chance): unknown {
  if (Array.isArray(value) && value.length > 0 && chance.happens(0.7)) {
    const at = chance.below(value.length);
    return value.map((each, index) => (index === at ? spoiled(each, chance) : each));
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const names = Object.keys(value);
    if (names.length === 0 || chance.happens(0.15))
      return { ...value, [chance.oneOf(['more', '__proto__', 'id'])]: chance.oneOf(ODD) };
    const name = chance.oneOf(names);
    if (chance.happens(0.2)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: spoiled((value as Record<string, unknown>)[name], chance) };
  }
  return chance.oneOf(ODD);
}

export interface OddRequest {
  method: string;
  path: string;
  body?: unknown;
  headers: Record<string, string>;
}

/** Returns one request for an operation. @param robotIds ids of robots of either account */
export function oddRequest(operation: Operation, robotIds: readonly string[], chance: Chance): OddRequest {
  const id = robotIds.length > 0 && chance.happens(0.85) ? chance.oneOf(robotIds) : chance.oneOf(ODD_IDS);
  const path = `${operation.path.replace('{robot_id}', id)}${operation.method === 'GET' ? chance.oneOf(QUERIES) : ''}`;
  const headers: Record<string, string> = chance.happens(0.05)
    ? { 'Content-Type': chance.oneOf(['text/plain', 'application/xml']) }
    : {};
  const method = chance.happens(0.02) ? chance.oneOf(['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'DELETE']) : operation.method;
  if (operation.example === undefined || method === 'GET' || method === 'HEAD') return { method, path, headers };
  const roll = chance.float();
  const body = roll < 0.5 ? operation.example : roll < 0.85 ? spoiled(operation.example, chance) : chance.oneOf(ODD_TEXTS);
  return { method, path, headers, body };
}
