import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from '../headless/near-miss.ts';

/** Invalid arguments. The message names them and the right form. */
export class UsageError extends Error {}

/** Returns the error for arguments that a command does not accept. @param command as a person types it, before its arguments */
export const wrongUsage = (sentence: string, command: string): UsageError =>
  new UsageError(`${sentence}\nSee: ${command} --help`);

type Options = NonNullable<ParseArgsConfig['options']>;

interface Command {
  /** As a person types it, before its arguments. */
  command: string;
  /** The allowed number of arguments besides the options. @default 0 */
  positionalsMax?: number;
}

/** Reads the arguments of a command. @throws UsageError that names the first wrong one, and what may have been meant */
export function readOptions<const O extends Options>(
  args: string[],
  options: O,
  { command, positionalsMax = 0 }: Command,
): ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>> {
  const wrong = whatIsWrong(args, options, positionalsMax);
  if (wrong !== null) throw wrongUsage(wrong, command);
  return parseArgs({ args, options, allowPositionals: true });
}

/** Node's own messages explain its syntax, which does not help with a misspelt option. */
function whatIsWrong(args: string[], options: Options, positionalsMax: number): string | null {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  let positionals = 0;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      positionals += 1;
      if (positionals > positionalsMax) return `The argument "${shown(token.value)}" is one too many.`;
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const known = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!known) {
      const names = Object.keys(options).map((one) => `--${one}`);
      return `There is no option ${shown(rawName)}.${didYouMean(rawName, names)}`;
    }
    if (known.type === 'boolean' && value !== undefined) return `${rawName} takes no value.`;
    if (known.type === 'string' && value === undefined) return `${rawName} needs a value.`;
    if (known.type === 'string' && !inlineValue && /^-./.test(value ?? ''))
      return `${rawName} needs a value. If the value begins with "-", write ${rawName}=VALUE.`;
  }
  return null;
}

/** An argument may be a key that was passed to the wrong command, so only short words are repeated. */
const shown = (text: string): string => (/^[\w./:-]{1,32}$/.test(text) ? text : '…');
