import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ControlState } from '../../../protocol/wire/state.ts';
import { controlOf } from '../common/contract.ts';
import { useViewer } from '../common/engine-context.ts';
import { counted } from '../common/format.ts';
import type { Cockpit } from './cockpit-controller.ts';

/** The robot's safety state: the watchdog of the arms, who may command, and the latency of calls. */
export function LinkGauges({ cockpit }: { cockpit: Cockpit }) {
  const control = useViewer(controlOf);
  const roundTrips = useStore(cockpit.view, (view) => view.roundTrips);
  if (!control) return null;
  const watchdog = watchdogText(control.upper_body);
  return (
    <dl className="link-gauges">
      <Gauge name="Watchdog" tone={watchdog.tone} title={watchdog.title}>
        {watchdog.text}
      </Gauge>
      <Gauge
        name="Signature"
        tone={control.signed_only ? 'good' : 'bad'}
        title={
          control.signed_only
            ? 'Unsigned calls that move the body are refused'
            : 'Every participant in the room can move this robot'
        }
      >
        {control.signed_only ? 'required' : 'not required'}
      </Gauge>
      <Gauge
        name="Round trip"
        tone="plain"
        title="Calls of this cockpit to the robot and back: the median of the last 3 s, and the longest"
      >
        {roundTrips ? `${roundTrips.medianMs} ms, worst ${roundTrips.worstMs}` : 'not measured'}
      </Gauge>
    </dl>
  );
}

type Tone = 'good' | 'bad' | 'warn' | 'plain';

function Gauge({ name, tone, title, children }: { name: string; tone: Tone; title: string; children: ReactNode }) {
  return (
    <div className="link-gauge" data-tone={tone} title={title}>
      <dt>{name}</dt>
      <dd data-testid={`gauge-${name.toLowerCase().replace(' ', '-')}`}>{children}</dd>
    </div>
  );
}

/** Describes the watchdog: its remaining time, or its outcome. */
export function watchdogText({ mode, packet_age_ms, timeout_ms, timeouts }: ControlState['upper_body']): {
  text: string;
  tone: Tone;
  title: string;
} {
  const before = timeouts === 0 ? '' : ` Arms went limp ${counted(timeouts, 'time')} for want of a pose.`;
  if (mode === 'damp')
    return {
      text: 'ARMS LIMP',
      tone: 'bad',
      title: `The arms are limp: no pose arrived in time, or the robot was stopped.${before}`,
    };
  if (packet_age_ms === null) return { text: 'off', tone: 'plain', title: `Locomotion has the arms.${before}` };
  return {
    text: `${packet_age_ms} of ${timeout_ms} ms`,
    tone: packet_age_ms > timeout_ms / 2 ? 'warn' : 'good',
    title: `Since the last pose; after ${timeout_ms} ms the arms go limp.${before}`,
  };
}
