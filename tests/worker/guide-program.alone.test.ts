/** Runs the first program of docs/physical-robot.md, as printed there, against the worker without a page and a real SFU. */
import { expect, it } from 'vitest';
import { LANGUAGES, runGuideProgram, watchRobot } from '../contract/helpers/guide-program.ts';
import { layGround } from '../ground/ground.ts';

const ground = layGround({ worker: {} });

it.each(LANGUAGES)(
  'drives the robot for a second, stops it and ends: %s',
  async (language) => {
    const robotId = await ground.newRobot();
    const witness = await ground.openSession(robotId, { keepSession: true });
    expect(witness.runtimeIdentity).toBe(`rcw-${robotId}`);
    const running = runGuideProgram(robotId, ground.platform, language);
    const watching = watchRobot(() => witness.state.get('robot_status'), running);
    const { exitCode, printed } = await running;
    expect(printed).toBe('');
    expect(exitCode).toBe(0);
    const { farthestM, heldLast } = await watching;
    expect(farthestM).toBeGreaterThan(0.1);
    expect(heldLast).toBe(false);
    await witness.disconnect({ keepSession: false });
  },
  120_000,
);
