import { createControlAuthority } from '../../../src/control-service/control-authority.ts';
import {
  type Agent,
  type Dispatch,
  type Holder,
  type Presence,
  type RpcCall,
  type SfuAdmin,
  SfuError,
} from '../../../src/control-service/sfu-admin.ts';
import { signParticipantToken } from '../../../src/control-service/tokens.ts';

/** The key with which the fake SFU signs. */
export const SFU_KEY = { apiKey: 'APItest', apiSecret: 'a-secret-of-the-tests-and-of-nothing-else' };

/** An SFU in memory. A call whose name is in `failing` throws, and so does `dispatch <agent>`, which sends one agent. */
export class FakeSfu implements SfuAdmin {
  readonly control = createControlAuthority(SFU_KEY.apiSecret);
  readonly participantUrl = 'ws://sfu.test:7880';
  /** Metadata of all existing rooms. */
  readonly rooms = new Map<string, string>();
  readonly dispatched: { id: string; room: string; agentName: string }[] = [];
  readonly failing = new Set<string>();
  identities: string[] = [];
  /** Identities that may only watch. */
  readonly watchers = new Set<string>();
  /** Rooms with a participant that is not an agent. */
  readonly people = new Set<string>();
  readonly calls: RpcCall[] = [];
  answer: (call: RpcCall) => string | Promise<string> = () => '{}';
  private held: Promise<void> | null = null;
  /** The number of calls that wait for the end of a {@link hang}. */
  waiting = 0;

  /** Blocks all calls. @returns a function that ends this: blocked calls fail, as at an SFU that hangs, or succeed */
  hang(): (how?: 'badly' | 'well') => void {
    let release = (_how: 'badly' | 'well') => {};
    this.held = new Promise((resolve, reject) => {
      release = (how) => {
        this.held = null;
        if (how === 'well') resolve();
        else reject(new SfuError('unreachable', 'The SFU does not answer.'));
      };
    });
    this.held.catch(() => {});
    return (how = 'badly') => release(how);
  }

  async ensureRoom(room: string, metadata: string, agents: Agent[]): Promise<Dispatch[]> {
    await this.check('ensureRoom');
    this.rooms.set(room, metadata);
    for (const { name } of agents) {
      if (this.dispatched.some((dispatch) => dispatch.room === room && dispatch.agentName === name)) continue;
      await this.check(`dispatch ${name}`);
      this.dispatched.push({ id: `dispatch-${this.dispatched.length + 1}`, room, agentName: name });
    }
    return agents.flatMap(({ name }) => this.dispatched.filter((sent) => sent.room === room && sent.agentName === name));
  }
  async changeMetadata(room: string, change: (metadata: string) => string | null): Promise<boolean> {
    await this.check('ensureRoom');
    const before = this.rooms.get(room);
    const metadata = before === undefined ? null : change(before);
    if (metadata === null) return false;
    this.rooms.set(room, metadata);
    return true;
  }
  async listRooms(): Promise<string[]> {
    await this.check('listRooms');
    return [...this.rooms.keys()].reverse();
  }
  async deleteRoom(room: string): Promise<void> {
    await this.check('deleteRoom');
    this.rooms.delete(room);
  }
  /** Returns the identities in the room. A test may replace this function. */
  listIdentities: (room: string) => Promise<string[]> = async () => {
    await this.check('listParticipants');
    return this.identities;
  };
  /** The number of times that each identity has joined again. */
  readonly joins = new Map<string, number>();
  async listParticipants(room: string): Promise<Presence[]> {
    const identities = await this.listIdentities(room);
    return identities.map((identity) => ({
      identity,
      joinId: `${identity}#${this.joins.get(identity) ?? 1}`,
      name: '',
      isAgent: false,
      mayCall: !this.watchers.has(identity),
      joinedAtMs: 0,
      attributes: this.attributes.get(identity) ?? {},
    }));
  }
  /** Signed attributes of participants, by identity. */
  readonly attributes = new Map<string, Record<string, string>>();
  /** Participants that were removed, as `room identity`. */
  readonly removed: string[] = [];
  async removeParticipant(room: string, identity: string): Promise<void> {
    await this.check('removeParticipant');
    this.removed.push(`${room} ${identity}`);
    this.holders.delete(`${room} ${identity}`);
    this.identities = this.identities.filter((other) => other !== identity);
  }
  /** Returns the participant under an identity in a room, as `room identity`. */
  readonly holders = new Map<string, Holder>();
  async holderOf(room: string, identity: string): Promise<Holder | null> {
    await this.check('holderOf');
    return this.holders.get(`${room} ${identity}`) ?? null;
  }
  async setAttributes(room: string, identity: string, attributes: Record<string, string>): Promise<void> {
    await this.check('setAttributes');
    const holder = this.holders.get(`${room} ${identity}`);
    if (holder) this.holders.set(`${room} ${identity}`, { ...holder, attributes: { ...holder.attributes, ...attributes } });
  }
  async hasPeople(room: string): Promise<boolean> {
    await this.check('hasPeople');
    return this.people.has(room);
  }
  /** Rooms to which a viewer was announced, one entry each time. */
  readonly announced: string[] = [];
  async announceWatcher(room: string): Promise<void> {
    await this.check('announceWatcher');
    this.announced.push(room);
  }
  async performRpc(call: RpcCall): Promise<string> {
    this.calls.push(call);
    const { signal } = call;
    if (signal === undefined) return this.answer(call);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    ended.catch(() => {});
    return Promise.race([this.answer(call), ended]);
  }
  signToken(grant: Parameters<SfuAdmin['signToken']>[0]): Promise<string> {
    return signParticipantToken(SFU_KEY, grant);
  }

  private async check(call: string): Promise<void> {
    if (this.held !== null) {
      this.waiting += 1;
      await this.held.finally(() => {
        this.waiting -= 1;
      });
    }
    if (this.failing.has(call)) throw new SfuError('unreachable', 'The SFU does not answer.');
  }
}
