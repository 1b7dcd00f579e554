import { METHOD_NAMES, type MethodName } from '../../src/protocol/wire/methods.ts';
import { base64, type createForge, jwsOf, pairOf } from '../protocol/helpers/forge.ts';

/** A text that is expensive to process. The salt makes names that no engine has seen yet, which cost most. */
interface Shape {
  name: string;
  make(chars: number, salt: number): string;
}

/** As many pieces as fit between two ends. */
function filled(chars: number, before: string, piece: (index: number) => string, after: string, join = ','): string {
  const pieces: string[] = [];
  let room = chars - before.length - after.length;
  for (let index = 0; ; index += 1) {
    const text = `${index === 0 ? '' : join}${piece(index)}`;
    if (text.length > room) return `${before}${pieces.join('')}${after}`;
    room -= text.length;
    pieces.push(text);
  }
}

type Piece = string | ((index: number, salt: number) => string);
const shape = (name: string, before: string, piece: Piece, after: string, join = ','): Shape => ({
  name,
  make: (chars, salt) => filled(chars, before, (index) => (typeof piece === 'string' ? piece : piece(index, salt)), after, join),
});

const times = (text: string, chars: number): string => text.repeat(Math.max(0, Math.floor(chars / text.length)));
/** Numbers as names, many of which collide in a hash table that is indexed by their value. */
const colliding = (index: number): string => `"${(index * 32_768) % 9_999_999}"`;

/** Texts that are not JSON. */
const UNREADABLE: readonly Shape[] = [
  shape('an open string of escaped quotes', '"', '\\"', '', ''),
  shape('an open string of backslashes', '"', '\\\\', '', ''),
  shape('open strings', '', '"a', '', ''),
  shape('open strings after escapes', '', '\\"', '', ''),
  shape('quotes', '', '"', '', ''),
  shape('open lists', '', '[', '', ''),
  shape('open objects', '', '{"":', '', ''),
  shape('closed lists', '', ']', '', ''),
  shape('NaN behind many strings', '["', 'a","', '",NaN]', ''),
  shape('almost NaN', '[', 'NaNa', ']', ''),
  shape('almost Infinity', '[', '-Infinit', ']', ''),
  shape('words that begin so', '[', 'N ', ']', ''),
  shape('one word', '', 'N', '', ''),
  shape('minus signs', '', '-', '', ''),
  shape('white space', '', ' \t\n\r', '', ''),
  shape('white space and a letter', '', ' ', 'x', ''),
  shape('spaces that are not of JSON', '', '\u00a0', 'x', ''),
  shape('pairs of surrogates', '"', '😀', '', ''),
  shape('lone surrogates', '"', '\ud800', '', ''),
  shape('a number without an end', '[', '1', '', ''),
  shape('names of skills', '{"name":"set_velocity",', '"set_upper_body"', '', ''),
];

/** Values of JSON that can replace any other value. */
const VALUES: readonly Shape[] = [
  { name: 'lists in lists', make: (chars) => times('[', chars / 2) + times(']', chars / 2) },
  { name: 'objects in objects', make: (chars) => `${times('{"":', (chars * 4) / 5)}0${times('}', chars / 5)}` },
  shape('numbers', '[', '1', ']'),
  shape('long numbers', '[', '1.2345678901234567e-307', ']'),
  shape('one long number', '', '9', '', ''),
  shape('a long fraction', '0.', '1', '', ''),
  shape('nulls', '[', 'null', ']'),
  shape('empty texts', '[', '""', ']'),
  shape('texts', '[', (index, salt) => `"x${salt}${index.toString(36)}"`, ']'),
  shape('objects', '[', '{}', ']'),
  shape('lists', '[', '[]', ']'),
  shape('names', '{', (index, salt) => `"k${salt}_${index.toString(36)}":0`, '}'),
  shape('names that collide', '{', (index) => `${colliding(index)}:0`, '}'),
  shape('one name many times', '{', '"a":0', '}'),
  shape('__proto__ many times', '{', '"__proto__":{}', '}'),
  shape('a long text', '"', 'a', '"', ''),
  shape('a text of escapes', '"', '\\u0000', '"', ''),
  shape('a text of quotes', '"', '\\"', '"', ''),
  shape('a text of umbrellas', '"', '☂', '"', ''),
  shape('a long name', '{"', 'a', '":0}', ''),
  shape('a long name of escapes', '{"', '\\u0001', '":0}', ''),
];

/** Places of a request that may have any value: §. */
const PLACES: Partial<Record<MethodName, readonly string[]>> = {
  'runtime.tools_call': [
    '{"name":§}',
    '{"name":"set_velocity","input":§}',
    '{"name":"set_velocity","input":{"vx":§}}',
    '{"name":"set_velocity","options":§}',
    '{"name":"set_velocity","options":{"action_id":§}}',
    '{"name":"set_velocity","options":{"deadline_s":§}}',
    '{"name":"go_to","input":{"target":§}}',
    '{"name":"go_to","input":{"target":{"kind":§}}}',
    '{"name":"go_to","input":{"target":{"kind":"entity","entity_id":§}}}',
    '{"name":"go_to","input":{"target":{"kind":"pose","pose":§}}}',
    '{"name":"go_to","input":{"target":{"kind":"pose","pose":{"position":§}}}}',
    '{"name":"go_to","input":{"target":{"kind":"pose","pose":{"position":[0,0,0],"orientation_xyzw":§}}}}',
    '{"name":"place_entity","input":{"target":{"kind":"slot","pad_id":"pad_B","index":§}}}',
    '{"name":"select_scene","input":{"scene_id":§}}',
    '{"name":"configure_benchmark","input":{"benchmark":§}}',
    '{"name":"set_color_mode","input":{"mode":§}}',
    '{"name":"set_upper_body","input":§}',
    '{"name":"set_upper_body","input":{"r_arm":§,"l_arm":[0,0,0,0,0]}}',
    '{"name":"get_state","input":§}',
  ],
  'runtime.cancel': ['{"options":§}', '{"options":{"action_id":§}}'],
  'runtime.scene_state': ['{"entity_ids":§}', '{"kinds":§}', '{"visible":§}'],
  'runtime.action': ['{"action_id":§}'],
  'runtime.cameras_capture': [
    '{"selector":§}',
    '{"selector":{"kind":"id","id":§}}',
    '{"selector":{"kind":"id","id":"pov"},"options":§}',
    '{"selector":{"kind":"id","id":"pov"},"options":{"width":§}}',
    '{"selector":{"kind":"id","id":"pov"},"options":{"annotations":§}}',
    '{"selector":{"kind":"id","id":"pov"},"stream":§}',
  ],
};

/** A payload of a method that is expensive to process. */
export interface HardPayload extends Shape {
  method: MethodName;
}

/** The most expensive known payloads, for every method. If you find a more expensive one, add it. */
export const HARD_PAYLOADS: readonly HardPayload[] = METHOD_NAMES.flatMap((method) => [
  ...[...UNREADABLE, ...VALUES].map((plain) => ({ ...plain, method })),
  ...(PLACES[method] ?? []).flatMap((place) =>
    VALUES.map(({ name, make }) => ({
      method,
      name: `${place} with ${name}`,
      make: (chars: number, salt: number) => place.replace('§', () => make(chars - place.length + 1, salt)),
    })),
  ),
]);

const HEADER = { alg: 'EdDSA', typ: 'control-envelope+jwt' };
const part = (text: string): string => Buffer.from(text).toString('base64url');
const unsigned = (header: string, claims: string): string => base64(`${part(header)}.${part(claims)}.AAAA`);
/** Encoded in base64 twice, an envelope leaves this much for its claims. */
const claimsChars = (chars: number): number => Math.floor((chars - 60) * (9 / 16)) - 80;
const names = (chars: number, salt: number): string => filled(chars, '{', (index) => `"k${salt}_${index.toString(36)}":0`, '}');
const stranger = pairOf(Buffer.alloc(32, 7));

/** Envelopes of a sender without a grant that are expensive to open. */
export const hardEnvelopes = (forge: ReturnType<typeof createForge>): readonly Shape[] => [
  { name: 'one letter', make: (chars) => times('A', Math.floor(chars / 4) * 4) },
  { name: 'padding', make: (chars) => times('=', chars) },
  { name: 'dots', make: (chars) => base64(times('.', (chars * 3) / 4)) },
  { name: 'names in its header', make: (chars, salt) => unsigned(names(claimsChars(chars), salt), '{}') },
  { name: 'names in its claims', make: (chars, salt) => unsigned(JSON.stringify(HEADER), names(claimsChars(chars), salt)) },
  {
    name: 'names in its call',
    make: (chars, salt) =>
      unsigned(
        JSON.stringify(HEADER),
        JSON.stringify({ ...forge.claims(), call: '§' }).replace('"§"', () => names(claimsChars(chars) - 1_200, salt)),
      ),
  },
  {
    name: 'lists in lists',
    make: (chars) => unsigned(JSON.stringify(HEADER), `{"call":${VALUES[0]?.make(claimsChars(chars) - 10, 0)}}`),
  },
  { name: 'a long number', make: (chars) => unsigned(JSON.stringify(HEADER), `{"seq":${times('9', claimsChars(chars) - 10)}}`) },
  {
    name: 'names in its grant',
    make: (_chars, salt) =>
      base64(jwsOf(HEADER, forge.claims({ grant: `${part(names(2_600, salt))}.${part('{}')}.AAAA` }), stranger.privateKey)),
  },
  {
    name: 'a grant that the service did not sign',
    make: (_chars, salt) =>
      base64(
        jwsOf(HEADER, forge.claims({ grant: forge.grant({ jti: `${salt}` }, {}, stranger.privateKey) }), stranger.privateKey),
      ),
  },
  {
    name: 'a stranger under a good grant, and a long call',
    make: (chars) =>
      base64(
        jwsOf(
          HEADER,
          forge.claims({ call: { method: 'runtime.tools_call', payload: { a: times('x', claimsChars(chars) - 1_400) } } }),
          stranger.privateKey,
        ),
      ),
  },
];
