import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { programBeside } from '../../control-service/program-beside.ts';

/** The start of an agent whose command is a client of the Model Context Protocol. */
const MCP = 'mcp:';

/** A command of the shell for one run, with its settings. */
export interface AgentCommand {
  command: string;
  /** Added to its environment. */
  settings: Readonly<Record<string, string>>;
  /** Removes what was written for the run. */
  close(): Promise<void>;
}

/** Returns the command of the shell that an agent names. */
export const commandOf = (agent: string): string => (agent.startsWith(MCP) ? agent.slice(MCP.length).trim() : agent);

/**
 * Returns the command of an agent. An MCP client gets only the words of the task and the path of a file that names the server of
 * the robot's tools; the key of the room is in that file alone.
 * @param settings of an agent that joins the room itself
 * @param configPath the file for an MCP client, readable only by its owner
 */
export async function prepareAgent(
  agent: string,
  settings: Readonly<Record<'SIMPLESIM_TASK' | 'SIMPLESIM_ROOM_KEY', string>> & Readonly<Record<string, string>>,
  configPath: string,
): Promise<AgentCommand> {
  if (!agent.startsWith(MCP)) return { command: agent, settings, close: async () => undefined };
  const { SIMPLESIM_TASK, SIMPLESIM_ROOM_KEY } = settings;
  const { file, execArgv } = programBeside(import.meta.url, '../simplesim');
  const server = {
    command: process.execPath,
    args: [...execArgv, file, 'mcp', '--room', '--exam'],
    env: { SIMPLESIM_TASK, SIMPLESIM_ROOM_KEY },
  };
  const path = resolve(configPath);
  await writeFile(path, `${JSON.stringify({ mcpServers: { simplesim: server } }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return {
    command: commandOf(agent),
    settings: { SIMPLESIM_TASK, SIMPLESIM_MCP_CONFIG: path },
    close: () => rm(path, { force: true }),
  };
}
