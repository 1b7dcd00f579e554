/**
 * A client process of the proof `agent-stops` that is killed: it starts the server, sends the given lines, and stays. The server
 * inherits its fourth file. Arguments: an option of Node and the program of the server, a seed,
 * and the lines as JSON.
 */
import { spawn } from 'node:child_process';

const [option, program, seed, lines] = process.argv.slice(2);
const server = spawn(process.execPath, [option, program, seed], { stdio: ['pipe', 'pipe', 'inherit', 3] });
server.stdout.resume();
for (const line of JSON.parse(lines)) server.stdin.write(`${line}\n`);
setInterval(() => undefined, 60_000);
