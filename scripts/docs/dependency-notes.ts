/**
 * Notes for the page of the dependencies that `package.json` does not contain: the purpose of each package, its size, and why it
 * is used instead of own code.
 */

export interface DependencyNote {
  /** Packages that belong together. */
  packages: readonly string[];
  purpose: string;
  /** Size of the installed packages, without their own dependencies. Measured by hand: `du -sm node_modules/NAME`. */
  megabytes: number;
  /** Why a library is used instead of own code. */
  reason: string;
}

/** The packages that run in the product, or build it. */
export const PRODUCT_PACKAGES: readonly DependencyNote[] = [
  {
    packages: ['@dimforge/rapier3d-compat'],
    purpose: 'physics',
    megabytes: 14.5,
    reason: 'a deterministic engine in WebAssembly',
  },
  {
    packages: ['@electric-sql/pglite'],
    purpose: 'database of a local platform',
    megabytes: 26.1,
    reason: 'PostgreSQL without a server',
  },
  { packages: ['@fontsource-variable/inter'], purpose: 'font of the page', megabytes: 1.9, reason: 'a font' },
  {
    packages: ['@hono/node-server', 'hono', '@hono/zod-openapi'],
    purpose: 'HTTP service and its OpenAPI description',
    megabytes: 4,
    reason: 'routing, and a description that follows the schemas',
  },
  {
    packages: ['@livekit/protocol', '@livekit/rtc-node', 'livekit-client', 'livekit-server-sdk'],
    purpose: 'rooms, in Node and in the page',
    megabytes: 29.5,
    reason: 'WebRTC and the protocol of the SFU',
  },
  {
    packages: ['@modelcontextprotocol/server'],
    purpose: 'the tools of an agent, over standard input and HTTP',
    megabytes: 7,
    reason: 'two generations of a protocol that changes every few months',
  },
  {
    packages: ['@noble/hashes'],
    purpose: 'SHA-256 of proofs',
    megabytes: 0.8,
    reason: 'audited cryptography that works synchronously and without HTTPS',
  },
  {
    packages: ['@react-three/fiber', 'three'],
    purpose: 'drawing of the world',
    megabytes: 25.8,
    reason: 'WebGL renderer and scene graph',
  },
  {
    packages: ['drizzle-orm', 'pg'],
    purpose: 'queries, and PostgreSQL over the network',
    megabytes: 16.9,
    reason: 'typed queries, and the wire protocol',
  },
  { packages: ['jose'], purpose: 'room tokens and signed control', megabytes: 0.5, reason: 'cryptography' },
  {
    packages: ['jsonc-parser'],
    purpose: 'place of an error in JSON',
    megabytes: 0.3,
    reason: 'a parser that continues after errors',
  },
  {
    packages: ['lucide-react'],
    purpose: 'icons of the page',
    megabytes: 48,
    reason: 'drawings; the page contains only those that it uses',
  },
  { packages: ['marked'], purpose: 'the manual as HTML, at build time', megabytes: 0.6, reason: 'a parser of Markdown' },
  {
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
    purpose: 'the tools for agents, and the clients of their tests',
    megabytes: 17,
    reason: 'the official implementation of a protocol that changes often',
  },
  { packages: ['fflate'], purpose: 'the bundle for agent clients', megabytes: 0.8, reason: 'the format of zip archives' },
  {
    packages: ['nanotar', 'yauzl'],
    purpose: 'archives of LiveKit and Go, and the empty database',
    megabytes: 0.2,
    reason: 'formats with many traps',
  },
  { packages: ['prom-client'], purpose: 'metrics', megabytes: 0.2, reason: 'histograms in the format of Prometheus' },
  {
    packages: ['qr'],
    purpose: 'QR codes for phones, and their reader',
    megabytes: 0.5,
    reason: 'error correction and detection in pictures',
  },
  { packages: ['radix-ui'], purpose: 'menus, dialogs, tabs', megabytes: 1.1, reason: 'accessible focus and keys' },
  {
    packages: ['react', 'react-dom', 'zustand'],
    purpose: 'user interface and its state',
    megabytes: 8.4,
    reason: 'the framework of the page',
  },
  {
    packages: ['swagger-ui-dist'],
    purpose: '`/docs` of a platform',
    megabytes: 12,
    reason: 'a user interface of its own',
  },
  { packages: ['tinyglobby'], purpose: 'task files by pattern', megabytes: 0.1, reason: 'Node 20 has no `glob`' },
  { packages: ['tsx'], purpose: 'runs examples and scripts', megabytes: 0.5, reason: 'Node 20 does not read TypeScript' },
  { packages: ['uplot'], purpose: 'charts', megabytes: 0.5, reason: 'thousands of points without a delay' },
  {
    packages: ['vite', '@vitejs/plugin-react'],
    purpose: 'builds the page and the commands',
    megabytes: 2.5,
    reason: 'a bundler',
  },
  {
    packages: ['ws'],
    purpose: 'WebSocket of the worker',
    megabytes: 0.2,
    reason: 'Node 20 has no WebSocket without a flag',
  },
  {
    packages: ['zod'],
    purpose: 'schemas of the protocol',
    megabytes: 8.2,
    reason: 'one source of types, checks and documentation',
  },
];

/** Size of the dependencies that a user installs, with their own dependencies. Measured by hand. */
export const INSTALLED_MEGABYTES = 96;

/** The purpose of the other packages. `@types/…` need no entry. */
export const TOOLS: Readonly<Record<string, string>> = {
  '@axe-core/playwright': 'accessibility of the page in its tests',
  '@biomejs/biome': 'format and lint',
  '@dagrejs/dagre': 'layout of the drawings in [structure.md](structure.md)',
  '@modelcontextprotocol/client': 'a client of agents in tests',
  '@modelcontextprotocol/sdk': 'the client library that most agent clients use, in tests',
  '@oxc-node/core': 'runs what measures or repeats (`lab`, `golden`), because it adds nothing to the code',
  '@playwright/test': 'tests of the page in a browser',
  'drizzle-kit': 'migrations of the database',
  'recast-navigation': 'a path planner against which `npm run lab -- bench planner` measures ours',
  typescript: 'types and declarations',
  vitest: 'tests without a browser',
  yaml: 'Compose and workflow files in checks and tests',
};

/** Packages that are not at their newest version, and why. */
export const KEPT_BACK: Readonly<Record<string, string>> = {
  vitest: 'vitest 5 needs Node 22.12, and the tests run with Node 20.',
  '@types/node': 'The types of a newer Node allow what Node 20 lacks.',
  vite: 'vite 8.4.0 adds 40 bytes to the gate of the page, whose budget has 67 bytes left (`npm run weight`).',
  '@livekit/protocol':
    '`livekit-server-sdk` pins 1.51.0, so a second copy is installed beside 1.52.1. npm marks 2.0.0 as deprecated.',
};
