/**
 * Texts name commands as they are called in a clone. In the published package the same commands have other names, so its texts
 * are rewritten when it is built. So no module has to ask where it runs. The three packages are published together, so their
 * names can be installed.
 */
const NAMES = 'start|link|class|headless|verify|eval|mcp|worker|service';
const TYPESCRIPT_CLIENT = 'npm install platform-robot-sdk @livekit/rtc-node tsx';

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\bnpm run simplesim(?: --)?/g, 'npx simplesim'],
  [/\bnpm start(?: --)?/g, 'npx simplesim start'],
  [new RegExp(`\\bnpm run (${NAMES}) \\[-- `, 'g'), 'npx simplesim $1 ['],
  [new RegExp(`\\bnpm run (${NAMES})\\b(?: --)?`, 'g'), 'npx simplesim $1'],
  [/\bnpx tsx (<<'EOF'|call\.ts)/g, `${TYPESCRIPT_CLIENT} && npx tsx $1`],
  [/ in a clone of SimpleSim, and run it there:/g, ' in the folder where the platform was started, and run it there:'],
  [/"\.\/clients\/python\[realtime\]"/g, '"platform-robot-sdk[realtime]"'],
  [/\.cache\/drive\b/g, '.venv'],
  [/ from the file that your teacher gives you:/g, ':'],
  [/"\.\/platform_robot_sdk-….whl\[realtime\]"/g, '"platform-robot-sdk[realtime]"'],
  [/\.\/platform-robot-sdk-….tgz/g, 'platform-robot-sdk'],
  [/\bdocs\/((?:reference\/)?[a-z-]+)\.md\b/g, '/manual/$1.html'],
  [/ is not built: npm run build\b/g, ' is missing: install simplesim again'],
];

/** Converts a text of the clone to the names of the package. */
export const asInstalled = (text: string): string =>
  RULES.reduce((said, [phrase, instead]) => said.replaceAll(phrase, instead), text);
