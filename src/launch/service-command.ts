/** `npm run service -- <command>`: the control service alone, and the operator's commands for keys and robots. */
import { formatLogLine } from '../control-service/log.ts';
import { operate } from './operate.ts';
import { print, printError, printTrouble, whenUnread } from './output.ts';
import { UsageError } from './read-options.ts';
import { readServiceArgs, type ServiceVerb, USAGE } from './service-args.ts';
import { type RunningService, serveControlService } from './service-serve.ts';

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('help')) print(USAGE);
else {
  try {
    const command = readServiceArgs(args);
    if (command.verb === 'serve') await serve(command);
    else {
      const { out, note } = await operate(process.env, args);
      if (out !== '') print(out);
      if (note !== '') printError(note);
    }
  } catch (error) {
    printTrouble(error);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

async function serve({ host, port }: Extract<ServiceVerb, { verb: 'serve' }>): Promise<void> {
  let running: RunningService | null = null;
  let isLeaving = false;
  const leave = async (exitCode: number): Promise<void> => {
    if (isLeaving) return;
    isLeaving = true;
    // While it is starting, there is nothing to end in order: everything open ends with the process.
    await running?.stop();
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave(0));
  whenUnread(() => void leave(1));
  running = await serveControlService({
    host,
    port,
    env: process.env,
    onLog: (entry) => print(formatLogLine(entry, Date.now())),
  });
}
