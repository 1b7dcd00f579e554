/** `npm run simplesim -- <command>`: finds the command and passes the other arguments on to it. */
import { productVersion } from '../headless/product-version.ts';
import { EXIT } from './exit-codes.ts';
import { print, printError } from './output.ts';
import { commandNamed, SIMPLESIM_USAGE, unknownCommand } from './simplesim-commands.ts';

const [name] = process.argv.splice(2, 1);

if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
  print(SIMPLESIM_USAGE);
} else if (name === '--version' || name === '-v') {
  print(productVersion());
} else {
  const command = commandNamed(name);
  if (command) await command.run();
  else {
    printError(unknownCommand(name));
    process.exit(EXIT.wrongUsage);
  }
}
