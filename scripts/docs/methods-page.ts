import type { z } from 'zod';
import { CANCELS_REPORTED_FROM, CANCELS_WITHIN_MS, EVENTS_TOPIC, roomEventSchema } from '../../src/protocol/room/room-events.ts';
import { HEARTBEAT_TOPIC } from '../../src/protocol/room/room-heartbeat.ts';
import { ENVELOPE_CLOCK_TOLERANCE_MS, ENVELOPE_MAX_LIFE_S } from '../../src/protocol/signed/signed-claims.ts';
import * as driver from '../../src/protocol/wire/driver.ts';
import { EMERGENCY_ANSWER_MAX_MS, EMERGENCY_REASON_MAX_CHARS } from '../../src/protocol/wire/emergency-stop.ts';
import * as limits from '../../src/protocol/wire/limits.ts';
import { METHOD_NAMES, METHOD_REQUESTS, type MethodName } from '../../src/protocol/wire/methods.ts';
import { ORDER_LIFE_MS } from '../../src/protocol/wire/owner-order.ts';
import { POSES_TOPIC } from '../../src/protocol/wire/pose-packets.ts';
import { WATCH_TOPIC } from '../../src/protocol/world-stream/audience.ts';
import { WORLD_VERSION } from '../../src/protocol/world-stream/packet.ts';
import * as world from '../../src/protocol/world-stream/world-frame.ts';
import { FIELD_NOTES } from './field-notes.ts';
import { code, markdownTable, requireDescriptions } from './markdown.ts';
import { METHOD_NOTES, signatureOf } from './method-notes.ts';
import { plainSchema } from './plain-schema.ts';
import { schemaTable } from './schema-table.ts';

type Row = readonly string[];

/** Returns the page of the methods, events, topics and limits of the protocol. */
export function methodsPage(): string {
  const text = pageText();
  requireDescriptions('scripts/docs/field-notes.ts', Object.keys(FIELD_NOTES), [...shownNotes]);
  return text;
}

const pageText = (): string => `# Methods, events and limits

Made by \`npm run docs\` from \`src/protocol\`; do not edit by hand.

This page lists the methods of a robot with their fields, the events and topics of its room, and the limits of a client.
[protocol.md](../protocol.md) explains how to use them.

## Methods

The column *signed* applies to a robot that takes only signed control (\`robot.extra.control.signed_only\`).

${markdownTable(['method', 'purpose', 'signed'], METHOD_NAMES.map(indexRow))}

${METHOD_NAMES.map(sectionOf).join('\n\n')}

## Events

The robot sends events to the whole room as reliable data packets of the topic \`${EVENTS_TOPIC}\`. Each packet is one JSON text.

${roomEventSchema.options.map(eventOf).join('\n\n')}

## Topics

${markdownTable(['topic', 'carries', 'from', 'to'], TOPICS)}

## World stream

[protocol.md](../protocol.md#world-stream) explains when the robot sends these packets. A list of names and numbers describes the world; the
order of both is in \`src/protocol/world-stream/layout.ts\`.

${markdownTable(['part of a packet', 'content'], WORLD_PACKET)}

## Limits of one participant

A call above one of these limits returns \`BUSY\`. \`details\` has the \`limit\`, the value that is \`allowed\`, and \`retry_after_ms\`.

${markdownTable(['`limit`', 'counts', 'allowed'], SHARES)}

## Other limits

${markdownTable(['limit', 'value'], LIMITS)}
`;

const ms = (value: number): string => (value % 1_000 === 0 ? `${value / 1_000} s` : `${value} ms`);

const TOPICS: readonly Row[] = [
  [EVENTS_TOPIC, 'events of the lease and the emergency stop, reliable', 'robot', 'room'],
  [limits.CAPTURE_TOPIC, 'pictures, byte stream; the default of `stream.topic`', 'robot', 'caller'],
  [POSES_TOPIC, 'signed poses of the arms and their replies, lossy', 'program and robot', 'robot and program'],
  [world.WORLD_TOPIC, 'the world stream, lossy', 'robot', 'room'],
  [WATCH_TOPIC, 'an empty packet: a viewer is about to join', 'control service', 'room'],
  [HEARTBEAT_TOPIC, 'a heartbeat by which a robot notices a lost room', 'robot', 'itself'],
].map(([topic = '', ...rest]) => [code(topic), ...rest]);

const SHARES: readonly Row[] = [
  [
    '`calls`',
    'calls of any method',
    `${limits.CALLS_PER_SECOND_MAX} a second over time, ${limits.CALLS_AT_ONCE_MAX.toLocaleString('en')} at once`,
  ],
  ['`captures_waiting`', 'pictures that are not yet drawn and sent', String(limits.CAPTURES_WAITING_MAX)],
  ['`calls_on_one_action`', 'calls that wait for the end of the same action', String(limits.JOINED_CALLS_MAX)],
  [
    '`control_changes`',
    'times that the participant takes the lease or newly requests it',
    `${driver.LEASE_CHANGES_AT_ONCE_MAX} in ${ms(driver.LEASE_CHANGES_WITHIN_MS)}; one if all participants together have ${driver.LEASE_CHANGES_OF_ALL_MAX}`,
  ],
];

const LIMITS: readonly Row[] = [
  ['request or reply', `${limits.RPC_PAYLOAD_MAX_BYTES.toLocaleString('en')} bytes of UTF-8`],
  [
    'request, unpacked by LiveKit',
    `${limits.CALL_UNPACKED_MAX_BYTES / 1024} KiB; LiveKit answers a larger one with its error 1500`,
  ],
  [
    'values in a request, lists and objects included',
    `${limits.PAYLOAD_MAX_VALUES}, nested at most ${limits.PAYLOAD_MAX_DEPTH} deep`,
  ],
  ['ids in `entity_ids`', String(limits.ENTITY_IDS_MAX)],
  ['entries in `unknown_ids`', String(limits.UNKNOWN_IDS_MAX)],
  ['`action_id`', `${limits.ACTION_ID_MAX_LENGTH} characters`],
  ['`deadline_s`', `${limits.DEADLINE_MAX_S.toLocaleString('en')} s`],
  [
    'results kept',
    `for ${limits.RESULT_KEPT_MS / 60_000} minutes, and the last ${limits.RESULTS_KEPT_MIN} for longer; at most ${limits.RESULTS_KEPT_MAX.toLocaleString('en')}`,
  ],
  ['stops of one participant above the limit of calls', String(limits.STOPS_AT_ONCE_MAX)],
  ['waiting calls of all participants', `${limits.CALL_CHARS_WAITING_MAX / 1024 ** 2} Mi characters`],
  ['wait of a capture for cameras that are being built', ms(limits.CAMERAS_AWAITED_MS)],
  [
    'silence that ends a lease',
    `${ms(driver.DRIVER_SILENT_MS.simulator)}; ${ms(driver.DRIVER_SILENT_MS.worker)} on a physical robot`,
  ],
  ['interval to renew or repeat a request for the lease', ms(driver.DRIVER_RENEW_MS)],
  ['participants that request the lease at a time', String(driver.ASKERS_MAX)],
  ['`name` of a driver', `${driver.DRIVER_NAME_MAX_CHARS} characters`],
  ["age of the ticket of an owner's order", ms(ORDER_LIFE_MS)],
  ['stops of actions of others before `cancels_repeated`', `${CANCELS_REPORTED_FROM} in ${ms(CANCELS_WITHIN_MS)}`],
  ['reason of an emergency stop', `cut after ${EMERGENCY_REASON_MAX_CHARS} characters`],
  ['wait for the robot to stand after an emergency stop', ms(EMERGENCY_ANSWER_MAX_MS)],
  ['life of an envelope', `${ENVELOPE_MAX_LIFE_S} s`],
  ['difference of clocks for an envelope', ms(ENVELOPE_CLOCK_TOLERANCE_MS)],
  ['silence after which a pose stream ends', ms(limits.TRAJECTORY_TIMEOUT_MS)],
  [
    'life of a room key',
    `${limits.ROOM_KEY_DEFAULT_TTL_S / 3_600} hours by default, at most ${limits.ROOM_KEY_MAX_TTL_S / 3_600}`,
  ],
];

const WORLD_PACKET: readonly Row[] = [
  ['length', `at most ${world.PACKET_MAX_BYTES.toLocaleString('en')} bytes; a key state has up to ${world.PARTS_MAX} parts`],
  ['byte 1', `version, ${WORLD_VERSION}`],
  ['byte 2', 'kind: 0 for a key state or a part of one, 1 for a change'],
  [
    'then',
    'stream (another number in each run of the runtime), number of the packet, milliseconds since the epoch, number of the key state',
  ],
  ['then, of a key state', 'part, and number of parts'],
  ['content of a key state', 'length of the names, names, numbers'],
  ['content of a change', 'pairs: how many numbers stay the same, and the difference of the next number from the key state'],
  ['last 4 bytes', 'FNV-1a of all bytes before, the highest byte first'],
  ['numbers', 'varints of 7 bits, the lowest first; signed ones as zigzag'],
  [
    'precision',
    `steps of ${world.POSITION_STEP_M * 1_000} mm; joints ${world.JOINT_STEP * 1_000} mrad, or mm if they slide; components of quaternions 1/${1 / world.QUATERNION_STEP}; times ${world.TIME_STEP_S * 1_000} ms`,
  ],
];

const anchorOf = (method: MethodName): string => method.replace('.', '');

const indexRow = (method: MethodName): Row => [
  `[${code(method)}](#${anchorOf(method)})`,
  METHOD_NOTES[method].purpose,
  signatureOf(method),
];

function sectionOf(method: MethodName): string {
  const { notes, reply } = METHOD_NOTES[method];
  const request = method === 'runtime.forward_envelope' ? null : fieldsOf(method, METHOD_REQUESTS[method], 'input');
  return [
    `### ${method}`,
    notes,
    ...(request === null ? [] : [`Request:\n\n${request}`]),
    ...(reply ? [`Reply:\n\n${fieldsOf(method, reply, 'output')}`] : []),
  ].join('\n\n');
}

const eventOf = (event: (typeof roomEventSchema.options)[number]): string =>
  `### ${event.shape.type.value}\n\n${fieldsOf(event.shape.type.value, event, 'output')}`;

/** @param where the method or event that has the fields */
const fieldsOf = (where: string, schema: z.ZodType, io: 'input' | 'output'): string =>
  schemaTable(plainSchema(schema, io), io === 'input', undefined, (path, description) => noteOf(where, path, description));

/** The keys of `FIELD_NOTES` that the page shows. */
const shownNotes = new Set<string>();

/** A note for one method precedes the description in the schema, which methods may share. @throws Error if there is neither */
function noteOf(where: string, path: string, description: string | undefined): string {
  const ofMethod = `${where} ${path}`;
  const keys = description === undefined ? [ofMethod, path, path.split('.').at(-1) ?? ''] : [ofMethod];
  const key = keys.find((one) => Object.hasOwn(FIELD_NOTES, one));
  const note = key === undefined ? description : FIELD_NOTES[key];
  if (note === undefined) throw new Error(`Add a note for ${where} ${path} to scripts/docs/field-notes.ts.`);
  if (key !== undefined) shownNotes.add(key);
  return note;
}
