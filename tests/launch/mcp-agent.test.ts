import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandOf, prepareAgent } from '../../src/launch/eval/mcp-agent.ts';

describe('an agent of an evaluation that is an MCP client', () => {
  const settings = { SIMPLESIM_TASK: 'Hold it.', SIMPLESIM_ROOM_KEY: 'k1~u~t', PLATFORM_API_KEY: 'sk_live_x' };

  it('gets a file that only its owner reads, which contains the key, and is removed after the run', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'simplesim-mcp-'));
    const path = join(dir, 'run.mcp.json');
    const prepared = await prepareAgent('mcp: my-client -p', settings, path);
    expect(prepared).toMatchObject({
      command: 'my-client -p',
      settings: { SIMPLESIM_TASK: 'Hold it.', SIMPLESIM_MCP_CONFIG: path },
    });
    expect(Object.keys(prepared.settings)).toHaveLength(2);
    const { simplesim } = JSON.parse(readFileSync(path, 'utf8')).mcpServers;
    expect(simplesim).toMatchObject({
      command: process.execPath,
      env: { SIMPLESIM_TASK: 'Hold it.', SIMPLESIM_ROOM_KEY: 'k1~u~t' },
    });
    expect(simplesim.args.slice(-3)).toEqual(['mcp', '--room', '--exam']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await prepared.close();
    expect(() => statSync(path)).toThrow('ENOENT');
    rmSync(dir, { recursive: true });
  });

  it('leaves the command and the settings of another agent as they are', async () => {
    expect(await prepareAgent('python a.py', settings, '/nonexistent/x')).toMatchObject({ command: 'python a.py', settings });
    expect(commandOf('planner')).toBe('planner');
  });
});
