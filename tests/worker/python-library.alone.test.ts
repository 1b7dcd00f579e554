/** The Python library with a worker that accepts signed commands only, like the physical robot. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIVEKIT_VERSIONS } from '../../scripts/ensure-python.ts';
import type { PlatformSession } from '../../src/client/index.ts';
import { layGround } from '../ground/ground.ts';
import { runPytest } from '../python/library.ts';

const ground = layGround({
  worker: { name: 'signed' },
  async prepare() {
    session = await ground.openSession(await ground.newRobot());
  },
});
let session: PlatformSession;

describe('the Python library', () => {
  it.each(LIVEKIT_VERSIONS)(
    'with LiveKit %s drives a signed worker, poses its arms, holds its lease, and cannot send an envelope twice',
    async (version) => {
      const { passed, failed, output } = await runPytest(version, ['test_worker.py', 'test_driving.py'], {
        connection: { rcs_url: ground.platform.rcsUrl, api_key: ground.platform.apiKey, robot_id: session.robotId },
        workDir: join(ground.root, `python-${version}`),
      });
      expect(failed, output).toBe(0);
      expect(passed).toBeGreaterThanOrEqual(15);
    },
    600_000,
  );
});
