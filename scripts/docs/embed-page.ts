/** docs/reference/embed.md: the element `<simple-sim>` and its messages. Names come from the code, their meanings from the tables here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, markdownTable, requireDescriptions } from './markdown.ts';

const EMBED_DIR = join(import.meta.dirname, '../../src/viewer/embed');
const read = (file: string): string => readFileSync(join(EMBED_DIR, file), 'utf8');

const ATTRIBUTES: Readonly<Record<string, string>> = {
  src: 'the address of the viewer; its parameters count too. Default: the address of the script',
  try: 'the robot runs in the frame alone, without a key, a server or an account',
  panels: 'parts beside the world: `skills`, `actions`, `scene`, `state`, `cameras`, `drive`, separated by spaces',
  theme: '`dark` or `light`. Default: the preference of the system',
  view: '`orbit`, `top` or `head`',
  allow: 'the rights of your page: `call`, `stop`, `view`, separated by spaces. Reading and pictures are always allowed',
  scene: 'the id of a scene, such as `hall`, or the address of a scene file. An unknown id opens the default',
  robot: 'the id of a robot: `humanoid` or `picker`. An unknown id opens the default',
  seed: 'with `try`: the seed of the world, a whole number from 0 to 4294967295. Default: 1',
  task: 'with `try`: the id of a task or the address of its file. The task determines the scene',
};

const MEMBERS: Readonly<Record<string, readonly [signature: string, meaning: string]>> = {
  state: ['`state`', 'the newest state; null before the frame has answered'],
  ready: ['`ready`', 'a promise that resolves when the robot answers calls; a new one after each load'],
  roomKey: ['`roomKey = key`', 'passes a room key, or a link with one, to the frame. A rejected key is the event `refused`'],
  connect: [
    '`connect(key)`',
    'passes a room key. Resolves when the frame is in the room, rejects with the reason. Gives up after about 8 s without an answer',
  ],
  call: [
    '`call(method, payload)`',
    'calls a [method](methods.md) of the runtime. Resolves with its reply, rejections of the robot included',
  ],
  invoke: ['`invoke(skill, input, options)`', 'calls a [skill](skills.md). Resolves when the skill has ended'],
  stop: ['`stop()`', 'stops all motion of the robot'],
  capture: ['`capture({ camera, width, height })`', "returns a picture as a `Blob`. Default camera: `pov`, the robot's own"],
  open: [
    '`open({ scene, robot, seed, task })`',
    'opens a new world with `try`. Omitted fields keep their value, and `task: null` ends a task. Resolves when the frame begins to load; then wait for `ready`',
  ],
  getView: ['`getView()`', "returns the person's view: world frame, metres, z up"],
  setView: [
    '`setView({ view, following, eye, target })`',
    'changes the view. Pass `eye` and `target` together. Rejects until the scene is drawn',
  ],
};

const PARAMETERS: readonly (readonly [name: string, meaning: string])[] = [
  [
    '`embed=1`',
    'shows the world, one line of state, the emergency stop, and a stop button during motion. From 300 × 340 pixels on also the buttons of the view',
  ],
  [
    '`origin`',
    'the origin of your page, such as `https://host.example`; several with commas. The frame ignores messages of all others',
  ],
  [
    '`try=1`, `scene`, `robot`, `seed`, `task`, `allow`, `panels`, `theme`, `view`',
    'as the attributes; several words with commas',
  ],
];

const TO_FRAME: Readonly<Record<string, readonly [fields: string, value: string]>> = {
  hello: ['', '`{ allow, try, state }`. Required first, and again after each `loaded`'],
  key: ['`key`', 'null when the frame is in the room. Not with `try=1`'],
  call: [
    '`method`, `payload?`',
    'the reply of the runtime. Needs `call`, except for `runtime.state`, `scene_state`, `scene_layout`, `tools_list`, `manifest`, `capabilities` and `action`',
  ],
  stop: ['', 'null. Needs `stop`'],
  capture: ['`camera?`, `width?`, `height?`', '`{ camera, media_type, bytes }`; `bytes` is an `ArrayBuffer` with a JPEG'],
  open: ['`scene?`, `robot?`, `seed?`, `task?`', 'null; then the frame loads again and sends `loaded`. Needs `call` and `try=1`'],
  get_view: ['', '`{ view, following, eye, target }`'],
  set_view: ['`view?`, `following?`, `eye?`, `target?`', 'null. Needs `view`'],
};

const FROM_FRAME: Readonly<Record<string, string>> = {
  loaded: 'the frame listens. It sends nothing else before `hello`',
  ready: '`state`, each time the robot begins to answer calls',
  state: '`state`, at most five times a second',
  action: '`action`, for each change of an action',
  reply: '`id`, and `ok: true` with `value` or `ok: false` with `error: { code, message }`',
};

const ERRORS: Readonly<Record<string, string>> = {
  INVALID_MESSAGE: 'the message has another shape, contains values that JSON cannot represent, or more than 10,000 values',
  UNKNOWN_VERSION: '`simplesim` is not 1',
  NOT_GREETED: 'a message came before `hello`',
  NOT_ALLOWED: 'the address of the frame, or the link of the robot, does not allow it',
  TOO_MANY: '32 messages wait for their replies. `stop` is accepted beyond that',
  KEY_REFUSED: 'the key does not bring the frame into its room, or a later key replaced it. The message has the reason',
  CAPTURE_FAILED: 'the cameras are not ready, failed, or have no such name. The message has the valid names',
  VIEW_UNAVAILABLE: 'the world is not drawn yet, or this browser cannot draw 3D',
  INTERNAL: 'a fault of the frame. Load it again',
  NO_ANSWER:
    'of the element: the frame has sent nothing for 20 s after it loaded. No viewer is at its address, or its server does not allow your page to frame it. A later answer still counts',
  CLOSED: 'of the element: the frame was closed or opened again before it answered',
};

/** Returns the page. @throws Error when a name of the code has no meaning here, or the other way round */
export function embedPage(): string {
  const [element, wire] = [read('element.ts'), read('wire.ts')];
  const block = (name: string): string =>
    new RegExp(`(?:interface|type) ${name}\\b[\\s\\S]*?\\n(?:}|\\);|\\n)`).exec(wire)?.[0] ?? '';
  const named = (text: string, pattern: RegExp): string[] => [
    ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
  ];
  compare('attribute', Object.keys(ATTRIBUTES), ['src', ...named(/PASSED = \[(.*?)\]/s.exec(element)?.[1] ?? '', /'(\w+)'/g)]);
  const members = named(block('SimpleSimElement'), /^ {2}(?:readonly |set )?(\w+)[(:]/gm);
  compare(
    'member',
    Object.keys(MEMBERS),
    members.filter((name) => name !== 'addEventListener'),
  );
  compare('message to the frame', Object.keys(TO_FRAME), named(block('HostMessage').replaceAll(/\{ \[.*?\}/g, ''), /'(\w+)'/g));
  compare('message of the frame', Object.keys(FROM_FRAME), named(block('FrameMessage'), /type: '(\w+)'/g));
  const codes = named(`${/type FrameErrorCode =[\s\S]*?;/.exec(wire)?.[0]}`, /'(\w+)'/g);
  compare('error', Object.keys(ERRORS), [...codes, ...named(element, /'(CLOSED|NO_ANSWER)'/g)]);
  return `# The element \`<simple-sim>\`

Made by \`npm run docs\` from \`src/viewer/embed\`; do not edit by hand.

This page lists the attributes, members and events of the element, and the messages of a frame without it. [Embedding](../embedding.md)
shows how to use them.

## Attributes

${markdownTable(
  ['attribute', 'meaning'],
  Object.entries(ATTRIBUTES).map(([name, meaning]) => [code(name), meaning]),
)}

## Properties and methods

Promises reject with an error that has a \`code\` and a sentence.

${markdownTable(['member', 'meaning'], Object.values(MEMBERS))}

## Events

The \`detail\` of \`state\` and \`ready\` is a \`FrameState\`, and that of \`action\` a \`FrameAction\` ([types](#types)). The \`detail\` of \`refused\` is
an error with a \`code\`.

## Address of a frame

${markdownTable(['parameter', 'meaning'], PARAMETERS)}

## Messages to the frame

Each message is an object with \`simplesim: 1\`, a \`type\`, and an \`id\` of 1 to 64 characters, which its reply repeats.

${markdownTable(
  ['type', 'fields', '`value` of the reply'],
  Object.entries(TO_FRAME).map(([name, cells]) => [code(name), ...cells]),
)}

## Messages of the frame

${markdownTable(
  ['type', 'fields'],
  Object.entries(FROM_FRAME).map(([name, fields]) => [code(name), fields]),
)}

## Errors

${markdownTable(
  ['code', 'meaning'],
  Object.entries(ERRORS).map(([name, meaning]) => [code(name), meaning]),
)}

## Types

The viewer serves these declarations as \`/simple-sim.d.ts\`.

\`\`\`typescript
${wire
  .replace(/^\/\*\*[\s\S]*?\*\/\n\n/, '')
  .replace(/\ndeclare global[\s\S]*$/, '')
  .trim()}
\`\`\`
`;
}

const compare = (kind: string, described: readonly string[], existing: readonly string[]): void =>
  requireDescriptions(`scripts/docs/embed-page.ts, ${kind}`, described, existing);
