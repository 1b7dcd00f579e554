import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { ROBOT_LANGUAGES, ROBOT_VOICES } from '../../protocol/client-models/http.ts';
import { ACCESSES } from '../../protocol/service/access.ts';
import type { OwnerOrder } from '../../protocol/wire/owner-order.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** The owners of robots. */
export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The moment until which its allowance to create robots is used up; see `operations/account-limits.ts`. */
    creationsUntil: time('creations_until'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('accounts_name').on(table.name)],
);

/** API keys. Of the key itself only its SHA-256 is stored, and enough of its start to recognise it in a list. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
    /** The last request with it, to the minute; see `accounts.ts`. */
    lastUsedAt: time('last_used_at'),
  },
  (table) => [uniqueIndex('api_keys_hash').on(table.hash), index('api_keys_account').on(table.accountId)],
);

/** Robots. Ids grow with time (UUID version 7), so the order by id is the order by age. */
export const robots = pgTable(
  'robots',
  {
    id: text('id').primaryKey(),
    /** The account that has claimed it; null while it is unclaimed. */
    ownerId: text('owner_id').references(() => accounts.id, { onDelete: 'set null' }),
    model: text('model').notNull(),
    name: text('name').notNull(),
    /**
     * The name with which it was registered, which it gets back when its owner changes; null for a robot from before this was
     * stored.
     */
    issuedName: text('issued_name'),
    type: text('type', { enum: ['physical', 'virtual'] }).notNull(),
    description: text('description'),
    /** Null: the default. */
    language: text('language', { enum: ROBOT_LANGUAGES }),
    voice: text('voice', { enum: ROBOT_VOICES }),
    publicKey: text('public_key'),
    /** See `slow-hash.ts`. Empty when its owner has released it: it has no PIN then. */
    pinHash: text('pin_hash').notNull(),
    /** Wrong attempts at this PIN, and those being checked; see `operations/pin-life.ts`. */
    wrongPins: integer('wrong_pins').notNull().default(0),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('robots_owner').on(table.ownerId, table.id)],
);

/**
 * Sessions, at most one per robot. A session that is being opened or closed belongs to that request until `phaseEndsAt`. A
 * service that died in the meantime leaves a row that the next request may take over.
 */
export const sessions = pgTable('sessions', {
  robotId: text('robot_id')
    .primaryKey()
    .references(() => robots.id, { onDelete: 'cascade' }),
  roomName: text('room_name').notNull(),
  sceneId: text('scene_id'),
  dispatches: jsonb('dispatches').$type<{ id: string; agent_name: string }[]>().notNull().default(sql`'[]'::jsonb`),
  phase: text('phase', { enum: ['opening', 'open', 'closing'] })
    .notNull()
    .default('open'),
  /** Null while it is open. */
  phaseEndsAt: time('phase_ends_at'),
  /** The last time it was seen in use; see `operations/idle-sessions.ts`. */
  lastUsedAt: time('last_used_at').notNull().default(sql`now()`),
  createdAt: time('created_at').notNull(),
});

/**
 * Links for visitors of a session. A row stays until the session is over or the limit of `operations/links.ts` is reached,
 * because the SFU renews the tokens of participants who joined by a link.
 */
export const links = pgTable(
  'links',
  {
    id: text('id').primaryKey(),
    robotId: text('robot_id')
      .notNull()
      .references(() => robots.id, { onDelete: 'cascade' }),
    /** The id of the session. */
    roomName: text('room_name').notNull(),
    /** Identity and name in the link's token. */
    identity: text('identity').notNull(),
    name: text('name').notNull(),
    access: text('access', { enum: ACCESSES }).notNull(),
    createdAt: time('created_at').notNull(),
    endsAt: time('ends_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('links_room').on(table.roomName, table.id), index('links_robot').on(table.robotId)],
);

/** Latched emergency stops. A row is deleted when the robot's runtime reports that a person has released its press. */
export const emergencyStops = pgTable('emergency_stops', {
  robotId: text('robot_id')
    .primaryKey()
    .references(() => robots.id, { onDelete: 'cascade' }),
  /** A new id with each press, so that a release does not lift a later press. */
  pressId: text('press_id').notNull(),
  /** The first presser, the time, and the reason. */
  pressedBy: text('pressed_by').notNull(),
  reason: text('reason'),
  since: time('since').notNull(),
});

/**
 * The last order of a robot's owner that sets its driver, while a runtime may still obey it; see `operations/owner-orders.ts`.
 */
export const ownerOrders = pgTable('owner_orders', {
  robotId: text('robot_id')
    .primaryKey()
    .references(() => robots.id, { onDelete: 'cascade' }),
  /** The session to which it applies. */
  roomName: text('room_name').notNull(),
  orderId: text('order_id').notNull(),
  ticket: text('ticket').notNull(),
  /** Null: the robot has no driver. */
  driver: jsonb('driver').$type<OwnerOrder['driver']>(),
  /** By the clock of the database. */
  endsAt: time('ends_at').notNull(),
});

/** Attempts at PINs that were wrong or are being checked; see `operations/claim-limit.ts`. */
export const failedClaims = pgTable(
  'failed_claims',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    robotId: text('robot_id')
      .notNull()
      .references(() => robots.id, { onDelete: 'cascade' }),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    at: time('at').notNull(),
  },
  (table) => [
    index('failed_claims_robot').on(table.robotId, table.at),
    index('failed_claims_account').on(table.accountId, table.at),
  ],
);

/**
 * Empty except for a moment: a row is stored and removed to check whether the database accepts writes; see `database-state.ts`.
 */
export const writeProbes = pgTable('write_probes', { at: time('at').notNull() });
