/** The promises of the runtime, P1 to P15, on which a client may rely. `runtime.capabilities` lists the ids. */

export interface Promised {
  id: `P${number}`;
  /** A summary of a few words. */
  title: string;
  /** Plain sentences, in full. */
  promise: string;
}

/** Every promise, in the order of its number. */
export const PROMISES: readonly Promised[] = [
  {
    id: 'P1',
    title: 'Done is true',
    promise: 'Before a reply is `done`, its postcondition was true for 0.25 s of simulated time. The reply carries the evidence.',
  },
  {
    id: 'P2',
    title: 'The named entity or nothing',
    promise: 'An action affects the entity that the call names, or no entity. It never replaces the entity by a similar one.',
  },
  {
    id: 'P3',
    title: 'One form of failure',
    promise: 'Every failure is `status: "failed"` with `error.code`. A `done` result never contains a failure.',
  },
  {
    id: 'P4',
    title: 'Failures report their effect',
    promise: 'Every failure reports `attempted` and `world_changed`.',
  },
  { id: 'P5', title: 'Exactly once', promise: 'An action runs exactly once per `action_id`, however often the call is sent.' },
  {
    id: 'P6',
    title: 'The end can be read later',
    promise: 'A caller that asks late gets the result of the action. Another client gets it too.',
  },
  {
    id: 'P7',
    title: 'Stop is physical',
    promise: 'After a stop, the robot is measured at rest within 0.5 s of simulated time, or the reply lists what still moves.',
  },
  {
    id: 'P8',
    title: 'The runtime keeps deadlines',
    promise: 'The runtime itself ends an action at its deadline. It does not depend on the caller.',
  },
  {
    id: 'P9',
    title: 'Busy is explicit',
    promise:
      'A call that needs a part of the body that is in use is rejected with `BUSY`, which names the active action. Only a velocity replaces a running walk or velocity.',
  },
  {
    id: 'P10',
    title: 'Navigation ends with a reason',
    promise: 'A walk ends at its goal, or with an error code that names the reason.',
  },
  {
    id: 'P11',
    title: 'Ranges are measured',
    promise:
      'Every range that the robot advertises is real. Its limits are accepted and reached, and one step beyond is rejected by name, or clamped and reported.',
  },
  {
    id: 'P12',
    title: 'The same run again',
    promise: 'The same seed and the same calls always give the same result.',
  },
  {
    id: 'P13',
    title: 'Hidden is not dead',
    promise:
      'A hidden tab keeps time and answers every call. If the browser froze the tab, running actions end with `RUNTIME_SUSPENDED`.',
  },
  {
    id: 'P14',
    title: 'Pictures belong to a step',
    promise: 'Every picture carries the step, the simulated time and the camera pose of the world that it shows.',
  },
  {
    id: 'P15',
    title: 'Ready is a fact',
    promise: 'While the robot loads, every call returns `NOT_READY` with the progress. A robot that reports ready accepts calls.',
  },
];
