import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIBRARY_FACE, PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { refusalsOf } from '../../src/control-service/openapi.ts';
import { EXAMPLE_BODIES, exampleAnswer } from '../../src/control-service/openapi-examples.ts';
import { routesOf } from '../../src/control-service/routes.ts';
import { SERVICE_ERRORS } from '../../src/protocol/service/service-errors.ts';
import { bareService } from './helpers/bare-service.ts';

type Json = Record<string, unknown>;

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const app = bareService();

describe.each([PUBLIC_FACE, LIBRARY_FACE])(
  'specification 9.4: an OpenAPI description is served at {root}/openapi.json, $name face',
  (face) => {
    const routes = routesOf(face);
    // biome-ignore lint/suspicious/noExplicitAny: a description has many shapes, and the tests check the expected ones.
    let description: any;
    beforeAll(async () => {
      description = await (await app.request(`${face.prefix}/openapi.json`)).json();
    });
    const operationOf = ({ path, method }: (typeof routes)[number]) => description.paths[path][method];

    it('the description names the version, the tags and the address where it is served', () => {
      expect(description.openapi).toBe('3.1.0');
      expect(description.info.version).toBe(version);
      expect(description.servers).toEqual([{ url: face.prefix || '/', description: 'This service' }]);
      expect(description.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
      const tags = new Set(routes.map((route) => route.tag));
      expect(new Set(description.tags.map(({ name }: { name: string }) => name))).toEqual(tags);
    });

    it('the description is correct behind a proxy that removes a prefix from the path', async () => {
      const serversWith = async (prefix: string) => {
        const answer = await app.request(`${face.prefix}/openapi.json`, { headers: { 'X-Forwarded-Prefix': prefix } });
        return (await answer.json()).servers[0].url;
      };
      expect(await serversWith('/platform/eu')).toBe(`/platform/eu${face.prefix}`);
      expect(await serversWith('/platform/')).toBe(`/platform${face.prefix}`);
      for (const unfit of ['https://evil.example', '//evil.example', '/a b', 'x', '/'.repeat(9)]) {
        expect(await serversWith(unfit)).toBe(face.prefix || '/');
      }
    });

    it.each(routes)(
      'describes $operationId fully: key, tag, texts, request, every answer with its headers and examples',
      (route) => {
        const operation = operationOf(route);
        expect(operation).toMatchObject({ operationId: route.operationId, tags: [route.tag], security: [{ apiKey: [] }] });
        expect(operation.summary).toMatch(/^[A-Z]/);
        expect(operation.description).toMatch(/^[A-Z].*\.$/);
        const statuses = new Set(refusalsOf(route).map((code) => String(SERVICE_ERRORS[code].status)));
        const success = route.answer === 'none' ? '204' : '200';
        expect(new Set(Object.keys(operation.responses))).toEqual(new Set([success, ...statuses]));
        for (const [status, given] of Object.entries(operation.responses)) {
          const response = resolve(given as Json) as Json & { headers: Json };
          expect(response.headers).toHaveProperty('X-Request-Id');
          expect('Retry-After' in response.headers).toBe(status === '429' || status === '503');
          expect(response.description).toEqual(expect.any(String));
          if (status !== '204') expect(response.content).toHaveProperty(['application/json', 'schema']);
        }
        expect(operation.requestBody === undefined).toBe(route.body === undefined);
        if (route.body) expect(operation.requestBody.required).toBe(!route.body.safeParse({}).success);
      },
    );

    it('the examples of the description match its own schemas', () => {
      for (const route of routes) {
        if (route.body)
          expect([route.operationId, route.body.safeParse(EXAMPLE_BODIES[route.operationId]).error]).toEqual([
            route.operationId,
            undefined,
          ]);
        if (route.answer === 'none') continue;
        expect(face.answers[route.answer].safeParse(exampleAnswer(face, route.answer)).error).toBeUndefined();
      }
    });

    it('lists of a fixed length are described in a form that readers of OpenAPI 3.0 understand', () => {
      const text = JSON.stringify(description);
      expect(text).not.toContain('prefixItems');
      expect(text).toContain('"items":{"type":"number"},"minItems":3,"maxItems":3');
    });

    it('every field and parameter has a description', () => {
      const silent: string[] = [];
      const walk = (value: unknown, path: string): void => {
        if (typeof value !== 'object' || value === null) return;
        for (const [name, inner] of Object.entries(value)) {
          const at = `${path}/${name}`;
          if (name === 'example' || name === 'examples') continue;
          if (name === 'properties') {
            for (const [field, schema] of Object.entries(inner as Record<string, Json>)) {
              if (!('$ref' in schema) && !schema.description) silent.push(`${at}/${field}`);
            }
          }
          if (name === 'parameters' && Array.isArray(inner)) {
            for (const parameter of inner) if (!parameter.description) silent.push(`${at}/${parameter.name}`);
          }
          walk(inner, at);
        }
      };
      walk(description, '');
      expect(silent.filter((at) => !/\/result$/.test(at) && !/room_metadata$/.test(at))).toEqual([]);
    });

    const resolve = (given: Json): Json => {
      const name =
        String(given.$ref ?? '')
          .split('/')
          .at(-1) ?? '';
      return '$ref' in given ? description.components.responses[name] : given;
    };
  },
);

describe.each(['', '/rcs'])('the browsable page at %s/docs', (prefix) => {
  const get = (path: string) => app.request(`${prefix}${path}`);

  it('the page loads everything from this service and runs no script of its own', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?! src="docs\/[\w.-]+"><\/script>)/);
    expect(html).not.toMatch(/https?:|\son\w+=/);
    for (const [, file] of html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)) {
      const answer = await get(`/${file}`);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get('content-type')).toMatch(file?.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    }
  });

  it('the page has one address, and no other file of the package is served', async () => {
    const slash = await get('/docs/');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '../docs']);
    for (const path of ['/docs/index.html', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/toString', '/docs/a/b']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});
