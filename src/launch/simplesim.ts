/** The program of every command: finds it by the first argument, and passes the other arguments on. */
import { productVersion } from '../headless/product-version.ts';
import { EXIT } from './exit-codes.ts';
import { print, printError } from './output.ts';
import { runCommand } from './run-command.ts';
import { commandNamed, SIMPLESIM_USAGE, unknownCommand } from './simplesim-commands.ts';

const [name] = process.argv.splice(2, 1);

await runCommand(async () => {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(SIMPLESIM_USAGE);
  if (name === '--version' || name === '-v') return print(productVersion());
  const command = commandNamed(name);
  if (command) return command.run();
  printError(unknownCommand(name));
  process.exit(EXIT.wrongUsage);
});
