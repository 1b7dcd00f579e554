import { type CodeFacts, identityPrefixOf, indented, LOCAL_FILE, oneLine, pictureOf } from './code-facts.ts';

const PACKAGE = 'platform-robot-sdk';
const WIDTH = 110;

/** Returns the call as a complete program for the TypeScript client library. In a clone, it runs unchanged beside `npm start`. */
export function typescriptProgram(facts: CodeFacts): string {
  const prefix = identityPrefixOf(facts);
  const found = prefix === null ? '' : `rcwIdentityPrefix: ${quoted(prefix)}, `;
  const { isLocal, rcsUrl } = facts.platform;
  const files = [...(isLocal ? ['readFile'] : []), ...(facts.callable.kind === 'picture' ? ['writeFile'] : [])];
  const imports = files.length > 0 ? `import { ${files.join(', ')} } from 'node:fs/promises';\n` : '';
  return `${imports}import { Client, connect } from '${PACKAGE}';

// ${oneLine(facts.callable.title)}. Save this as call.ts in a clone of SimpleSim, and run it there: npx tsx call.ts
${keyLines(isLocal)}
const client = new Client({ rcsUrl: ${quoted(rcsUrl)}, apiKey });
const robotId = ${quoted(facts.robotId)};
const session = await connect(client, robotId, { workerNames: [], ${found}keepSession: true });
try {
  await session.waitUntilReady({ timeoutMs: 60_000 });
${indented(body(facts), 2)}
} finally {
  await session.disconnect();
}
`;
}

const keyLines = (isLocal: boolean): string =>
  isLocal
    ? `// \`npm start\` keeps the key in ${LOCAL_FILE}; PLATFORM_API_KEY names another.
const apiKey: string = process.env.PLATFORM_API_KEY ?? JSON.parse(await readFile('${LOCAL_FILE}', 'utf8')).api_key;`
    : `// The key of the platform comes from PLATFORM_API_KEY.
const apiKey = process.env.PLATFORM_API_KEY ?? '';`;

function body(facts: CodeFacts): string {
  const { callable, input } = facts;
  if (callable.kind === 'skill') return skillBody(facts);
  if (callable.kind === 'picture') return pictureBody(input);
  return `const reply = ${readCall(callable.id, input)};\nconsole.log(JSON.stringify(reply, null, 2));`;
}

function skillBody({ callable, input, options }: CodeFacts): string {
  const more = {
    ...(options.action_id === undefined ? {} : { actionId: options.action_id }),
    ...(options.deadline_s === undefined ? {} : { deadlineS: options.deadline_s }),
  };
  const args = [quoted(callable.id), literal(input ?? {}), ...(Object.keys(more).length === 0 ? [] : [literal(more)])];
  return `const ended = await session.invoke(${args.join(', ')});
if (ended.status === 'done') console.log('done', ended.result);
else console.log(ended.error.code, ended.error.message);`;
}

function pictureBody(input: unknown): string {
  const { camera, size } = pictureOf(input);
  const args = Object.keys(size).length === 0 ? quoted(camera) : `${quoted(camera)}, ${literal(size)}`;
  return `const { jpeg, frame } = await session.getVision(${args});
await writeFile(${quoted(`${camera}.jpg`)}, jpeg);
console.log(jpeg.length, 'bytes', frame.intrinsics, frame.camera_pose);`;
}

function readCall(method: string, input: unknown): string {
  const filter = typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? literal(input) : '';
  switch (method) {
    case 'runtime.state':
      return "await session.state.get('robot_status')";
    case 'runtime.scene_state':
      return `await session.scene(${filter})`;
    case 'runtime.scene_layout':
      return 'await session.layout()';
    case 'runtime.tools_list':
      return 'await session.discoverSkills()';
    case 'runtime.capabilities':
      return 'await session.getCapabilities()';
    case 'runtime.manifest':
      return "await session.state.get('manifest')";
    default:
      return `await session.call(${quoted(method)}${filter === '' ? '' : `, ${filter}`})`;
  }
}

/** Returns a value as a TypeScript literal, on one line if it is short. */
export function literal(value: unknown, depth = 0): string {
  const line = oneLineLiteral(value);
  if (line.length + depth * 2 <= WIDTH - 40 || typeof value !== 'object' || value === null) return line;
  const pad = '  '.repeat(depth + 1);
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${literal(inner, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join('')}${'  '.repeat(depth)}${close}`;
}

function oneLineLiteral(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(oneLineLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value) ?? 'undefined');
  const parts = Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${oneLineLiteral(inner)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
