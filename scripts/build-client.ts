/** `npm run client:build`: the npm package of the client library, ready to be packed, in `.cache/platform-robot-sdk`. */
import { join } from 'node:path';
import { buildPackage } from './client/build-package.ts';
import { fromRoot, ROOT_DIR } from './declarations.ts';

const outDir = join(ROOT_DIR, '.cache/platform-robot-sdk');
const { codeBytes, typesBytes } = await buildPackage(outDir);
const kB = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
console.log(`platform-robot-sdk is in ${fromRoot(outDir)}: ${kB(codeBytes)} of code, ${kB(typesBytes)} of types.`);
console.log(`Pack it: npm pack ./${fromRoot(outDir)}`);
