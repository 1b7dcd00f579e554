import type { ReactNode } from 'react';
import { capitalise } from '../../../common/capitalise.ts';
import type { RuntimeState } from '../../../protocol/wire/state.ts';
import { useViewer } from '../common/engine-context.ts';
import { byId, decimal, degrees, duration, factor, metres, radiansAsDegrees } from '../common/format.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { headText } from '../common/texts.ts';
import { headingDeg, keyText } from '../common/value.ts';
import { Charts } from './Charts.tsx';
import { Inspector } from './Inspector.tsx';

const ROBOT_STATUS_TEXTS: Record<RuntimeState['robot']['status'], string> = {
  ready: 'standing',
  moving: 'moving',
  holding: 'standing, holding',
  fallen: 'fallen',
  error: 'out of order',
  unknown: 'not known',
};

/** The robot's own state, as the runtime reports it to clients. */
export function StatePanel() {
  const state = useViewer(({ runtime }) => runtime);
  if (!state) return <p className="empty">The state has not been read yet.</p>;
  return (
    <>
      <BodySections state={state} />
      <Charts />
      <SortingSection counts={state.robot.extra.sort_benchmark} />
      <SimulationSection state={state} />
      {state.robot.extra.joints && <JointsSection joints={state.robot.extra.joints} />}
      <Inspector />
    </>
  );
}

function BodySections({ state: { robot } }: { state: RuntimeState }) {
  const { going, hands } = useRobotWords();
  const { command, nav, head } = robot.extra;
  const [x, y, z] = robot.pose.position;
  const heading = headingDeg(robot.pose);
  const goal = nav.goal?.position;
  return (
    <>
      <Facts title="Body">
        <Fact name="Status">{ROBOT_STATUS_TEXTS[robot.status]}</Fact>
        <Fact name="Place">
          x {decimal(x, 2)}, y {metres(y)}
        </Fact>
        <Fact name="Height">{metres(z)}</Fact>
        {heading !== null && <Fact name="Heading">{degrees(heading, 1)}</Fact>}
        <Fact name={capitalise(hands)}>
          {robot.held_entity_ids.length === 0 ? 'empty' : `hold ${robot.held_entity_ids.join(', ')}`}
        </Fact>
        <Fact name="Head">{headText(head.measured.yaw, head.measured.pitch)}</Fact>
      </Facts>
      <Facts title="Motion">
        <Fact name="Forward">{decimal(command.vx, 2)} m/s</Fact>
        <Fact name="Left">{decimal(command.vy, 2)} m/s</Fact>
        <Fact name="Turning left">{radiansAsDegrees(command.wz)}/s</Fact>
        <Fact name={`${capitalise(going)} to`}>
          {nav.active && goal ? `x ${decimal(goal[0], 2)}, y ${metres(goal[1])}` : 'nowhere'}
        </Fact>
        {nav.active && nav.remaining_m !== undefined && <Fact name="Still to go">{metres(nav.remaining_m)}</Fact>}
      </Facts>
    </>
  );
}

function SortingSection({ counts }: { counts: RuntimeState['robot']['extra']['sort_benchmark'] }) {
  const pallets = Object.entries(counts.pallet_stack_counts).toSorted(([a], [b]) => byId(a, b));
  // Only a scene for sorting has pads with counts.
  if (pallets.length === 0) return null;
  return (
    <Facts title={counts.enabled ? 'Sorting' : 'Sorting (not counted)'}>
      <Fact name="Correct">{counts.correct_count}</Fact>
      {counts.collected_count > 0 && <Fact name="Of these collected">{counts.collected_count}</Fact>}
      <Fact name="Wrong">{counts.wrong_count}</Fact>
      <Fact name="Spoiled">{counts.spoiled_count}</Fact>
      {pallets.map(([padId, count]) => (
        <Fact key={padId} name={padId}>
          {count}
        </Fact>
      ))}
    </Facts>
  );
}

function SimulationSection({ state }: { state: RuntimeState }) {
  const stepsPerSecond = useViewer((viewer) => Math.round(viewer.stepsPerSecond));
  const { sim } = state.robot.extra;
  return (
    <Facts title="Simulation">
      <Fact name="Simulated time">{duration(state.timestamp.sim_time_s * 1000)}</Fact>
      <Fact name="Step">{state.timestamp.step}</Fact>
      <Fact name="Steps per second">{stepsPerSecond}</Fact>
      <Fact name="Speed asked for">{factor(sim.speed)}</Fact>
      <Fact name="Real-time factor">{factor(sim.real_time_factor)}</Fact>
      <Fact name="Seed">{sim.seed}</Fact>
    </Facts>
  );
}

function JointsSection({ joints }: { joints: Record<string, number> }) {
  return (
    <details className="joints">
      <summary className="section-title">Joints</summary>
      <dl className="facts">
        {Object.entries(joints).map(([name, rad]) => (
          <Fact key={name} name={keyText(name)}>
            {radiansAsDegrees(rad, 1)}
          </Fact>
        ))}
      </dl>
    </details>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="section-title">{title}</h2>
      <dl className="facts">{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
