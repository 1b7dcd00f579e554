import { isLoopback } from '../../../protocol/room-key.ts';

const CONTRACT_PARAMETERS = ['profile', 'signed'];

/** The link that opens this tab's robot elsewhere. The key stands in the fragment, which browsers send to no server. */
export function linkWithKey(pageHref: string, key: string): string {
  const { origin, pathname, searchParams } = new URL(pageHref);
  // Which contract the robot keeps goes with it; else the link would open another robot.
  const kept = CONTRACT_PARAMETERS.flatMap((name) => searchParams.getAll(name).map((value) => [name, value]));
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `${origin}${pathname}${query}#key=${key}`;
}

/** What keeps another device from opening the link, in sentences; none when nothing is known to. */
export function reachProblems(pageHref: string, sfuUrl: string): readonly string[] {
  const page = new URL(pageHref);
  const problems: string[] = [];
  if (isLoopback(page.hostname))
    problems.push(
      `A phone cannot reach ${page.host}: to it, that address is the phone itself. Serve this page from an address in your network, and open that one here first.`,
    );
  else if (page.protocol === 'http:')
    problems.push(
      'This page came unencrypted. A phone then blocks what a robot needs to answer calls. Serve the page over https.',
    );
  const sfu = new URL(sfuUrl);
  if (isLoopback(sfu.hostname))
    problems.push(
      `The key leads to a room at ${sfu.host}, which is on this machine. A phone needs a key with an address in your network.`,
    );
  return problems;
}
