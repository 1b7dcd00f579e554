/** A machine that has no port or file descriptor left when a robot joins. */
import { Server } from 'node:net';
import { expect, it, vi } from 'vitest';
import { watchMembership } from './helpers/membership.ts';
import { startWelcomingSfu } from './helpers/welcoming-sfu.ts';

it('a join is retried if the machine has no port left, and the log names the shortage', async ({ onTestFinished }) => {
  const sfu = await startWelcomingSfu();
  onTestFinished(() => sfu.stop());
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', Object.assign(new Error('listen EMFILE: too many'), { code: 'EMFILE' })));
    return this;
  });
  onTestFinished(() => listen.mockRestore());
  const membership = watchMembership(sfu.url, 'token');
  const { message } = await membership.logged('robot_rejoins');
  expect(message).toBe(
    'No port could be opened on this machine for the connection to the room (EMFILE). Look how many files and connections its processes have open.',
  );
  await membership.leave();
  expect(await membership.over).toBe('ended');
});
