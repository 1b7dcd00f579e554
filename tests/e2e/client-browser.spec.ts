/** The client library in a browser: one page drives the robot that another is. */
import { type Sdk, serveClientPage } from './support/client-page.ts';
import { expect, test } from './support/fixtures.ts';

test('a page drives the robot with the client library: skills, events, a picture, cancel, disconnect', async ({
  robot,
  open,
  openHidden,
  platform,
  client,
}) => {
  await openHidden(await robot.keyUrl());
  const served = await serveClientPage();
  const page = await open(served.url);
  await page.waitForFunction(() => 'sdk' in globalThis);

  const seen = await page.evaluate(
    async ({ rcsUrl, apiKey, robotId }) => {
      const { Client, connect } = (globalThis as unknown as { sdk: Sdk }).sdk;
      const reported: string[] = [];
      const callbacks = { onDisconnected: (reason: string) => void reported.push(reason) };
      const session = await connect(new Client({ rcsUrl, apiKey }), robotId, { workerNames: [], callbacks });
      await session.waitUntilReady({ timeoutMs: 120_000 });
      const skills = (await session.discoverSkills()).map(({ name }) => name);
      const turned = await session.invoke('set_head', { yaw: 0.2 });

      const { jpeg, frame, entities, verified } = await session.getVision('pov', {
        width: 320,
        height: 180,
        annotations: ['boxes'],
      });
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(jpeg)], { type: 'image/jpeg' }));
      const picture = { head: [...jpeg.slice(0, 3)], size: [bitmap.width, bitmap.height], frame: [frame.width, frame.height] };

      const walk = session.start('go_to', { target: { kind: 'entity', entity_id: 'pad_B' } });
      const phases = new Set<string>();
      for await (const event of walk) {
        phases.add(event.phase);
        if (event.phase === 'running' && event.progress && !phases.has('asked')) {
          phases.add('asked');
          void walk.cancel();
        }
      }
      const cancelled = await walk.result;
      const remembered = await session.getAction(walk.actionId);
      // The session was open before, so it ends only on request.
      await session.disconnect({ keepSession: false });
      const after = await session.scene().catch((error: Error) => error.message);
      const boxes = entities?.length ?? 0;
      return { skills, turned, picture, verified, boxes, phases: [...phases], cancelled, remembered, reported, after };
    },
    { rcsUrl: platform.rcsUrl, apiKey: platform.apiKey, robotId: robot.id },
  );

  expect(seen.skills).toContain('pick_entity');
  expect(seen.turned).toMatchObject({ status: 'done', result: { target: { yaw: 0.2 } } });
  expect(seen.picture).toEqual({ head: [0xff, 0xd8, 0xff], size: [320, 180], frame: [320, 180] });
  expect(seen.verified).toBe('sha256');
  expect(seen.boxes).toBeGreaterThan(0);
  expect(seen.phases).toEqual(['accepted', 'running', 'asked', 'cancelled']);
  expect(seen.cancelled).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  expect(seen.remembered).toEqual(seen.cancelled);
  expect(seen.reported).toEqual(['left']);
  expect(seen.after).toContain('This session was left');
  // Disconnecting deleted the session, so there is none to get a token for.
  const refused = client.robots.createParticipantToken(robot.id, { participantIdentity: 'late' });
  await expect(refused).rejects.toMatchObject({ statusCode: 409 });
  await served.stop();
});
