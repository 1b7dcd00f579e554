import { fieldsOf } from '../../../../protocol/wire/command-kinds.ts';
import { CANCEL_ACTIVE } from '../../../../protocol/wire/methods.ts';
import { type CodeFacts, identityPrefixOf, indented, LOCAL_FILE, oneLine, pictureOf } from './code-facts.ts';

/** Maximum line width before a value is split into several lines. */
const WIDTH = 100;

/** Returns the call as a complete program for the Python client library. In a clone, it runs unchanged beside `npm start`. */
export function pythonProgram(facts: CodeFacts): string {
  const { body, imports } = bodyOf(facts);
  const { isLocal, rcsUrl } = facts.platform;
  const modules = [...new Set(['asyncio', ...imports, ...(isLocal ? ['json'] : []), 'os'])].sort();
  return `"""${oneLine(facts.callable.title).replaceAll('"', "'").replaceAll('\\', '')}.

Save this as call.py in a clone of SimpleSim, and run it there:

    pip install "./clients/python[realtime]"
    python3 call.py

${keyText(isLocal)}
"""

${modules.map((name) => `import ${name}\n`).join('')}
from platform_robot_sdk import AsyncClient, connect


async def main() -> None:
${keyLines(isLocal)}
    async with AsyncClient(rcs_url=${literal(rcsUrl)}, api_key=api_key) as client:
        robot_id = ${literal(facts.robotId)}
        async with connect(${connectArgs(facts)}) as session:
            await session.wait_until_ready(timeout_s=60)
${indented(body, 12)}


asyncio.run(main())
`;
}

const keyText = (isLocal: boolean): string =>
  isLocal
    ? `\`npm start\` keeps the key in ${LOCAL_FILE}; PLATFORM_API_KEY names another.`
    : 'The key of the platform comes from PLATFORM_API_KEY.';

const keyLines = (isLocal: boolean): string =>
  isLocal
    ? `    api_key = os.environ.get("PLATFORM_API_KEY")
    if api_key is None:
        with open(${literal(LOCAL_FILE)}) as file:
            api_key = json.load(file)["api_key"]`
    : '    api_key = os.environ["PLATFORM_API_KEY"]';

interface Body {
  body: string;
  /** Modules of the standard library that the program needs. */
  imports: readonly string[];
}

/** With `keep_session`, the page that shows this program stays the robot. */
const connectArgs = (facts: CodeFacts): string => {
  const named = identityPrefixOf(facts);
  const prefix = named === null ? '' : `, rcw_identity_prefix=${literal(named)}`;
  return `client, robot_id, worker_names=[]${prefix}, keep_session=True`;
};

function bodyOf(facts: CodeFacts): Body {
  switch (facts.callable.kind) {
    case 'skill':
      return { body: skillBody(facts), imports: [] };
    case 'picture':
      return { body: pictureBody(facts.input), imports: [] };
    case 'read':
      return readBody(facts.callable.id, fieldsOf(facts.input));
  }
}

function skillBody({ callable, input, options }: CodeFacts): string {
  const named = Object.entries({ action_id: options.action_id, deadline_s: options.deadline_s })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${literal(value)}`);
  const args = [literal(callable.id), literal(input ?? {}, 16), ...named];
  return `ended = await session.invoke(${args.join(', ')})\nprint(ended)`;
}

function pictureBody(input: unknown): string {
  const { camera, size } = pictureOf(input);
  const named = Object.entries(size).map(([name, value]) => `${name}=${literal(value)}`);
  return `picture = await session.get_vision(${[literal(camera), ...named].join(', ')})
picture.save(${literal(`${camera}.jpg`)})
print(picture.frame)`;
}

const model = (call: string): Body => ({ body: `reply = ${call}\nprint(reply.model_dump_json(indent=2))`, imports: [] });
const plain = (call: string): Body => ({ body: `reply = ${call}\nprint(json.dumps(reply, indent=2))`, imports: ['json'] });

function readBody(method: string, input: Readonly<Record<string, unknown>>): Body {
  const filter = Object.entries(input)
    .map(([name, value]) => `${name}=${literal(value)}`)
    .join(', ');
  switch (method) {
    case 'runtime.state':
      return model('await session.state.get("robot_status")');
    case 'runtime.scene_state':
      return model(`await session.scene(${filter})`);
    case 'runtime.scene_layout':
      return model('await session.layout()');
    case 'runtime.tools_list':
      return {
        body: 'for skill in await session.discover_skills():\n    print(skill.name, json.dumps(skill.input_schema))',
        imports: ['json'],
      };
    case 'runtime.capabilities':
      return plain('await session.get_capabilities()');
    case 'runtime.manifest':
      return plain('await session.state.get("manifest")');
    case 'runtime.cancel':
      return { body: `print(await session.cancel_action(${literal(cancelledId(input))}))`, imports: [] };
    default:
      return plain(`await session.call(${[literal(method), ...(filter === '' ? [] : [literal(input, 16)])].join(', ')})`);
  }
}

const cancelledId = (input: Readonly<Record<string, unknown>>): unknown => fieldsOf(input.options).action_id ?? CANCEL_ACTIVE;

/**
 * Returns a value as a Python literal, on one line if it is short.
 * @param column of the closing bracket of a longer one, spaces from the left
 */
export function literal(value: unknown, column = 0): string {
  const line = oneLineLiteral(value);
  if (line.length + column <= WIDTH - 40 || typeof value !== 'object' || value === null) return line;
  const pad = ' '.repeat(4);
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, column + 4))
    : Object.entries(value).map(([key, inner]) => `${oneLineLiteral(key)}: ${literal(inner, column + 4)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${indented(part, pad.length)},\n`).join('')}${close}`;
}

function oneLineLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(oneLineLiteral).join(', ')}]`;
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([key, inner]) => `${oneLineLiteral(key)}: ${oneLineLiteral(inner)}`);
    return `{${parts.join(', ')}}`;
  }
  // JSON's escapes are also Python's, except surrogate pairs, which JSON.stringify leaves as characters.
  return JSON.stringify(value);
}
