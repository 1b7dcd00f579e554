/** The codes that only the tools have, with their meanings; all others are codes of the robot. */
export const TOOL_CODES = {
  ROBOT_ABSENT: 'No robot is in its room, or no program simulates it.',
  NO_ANSWER: 'The robot did not answer in time. It is unknown whether it carried out the call.',
  CAMERA_UNAVAILABLE: 'These tools cannot take pictures here. The sentence names the remedy.',
  UNKNOWN_TOOL: 'No tool has this name.',
} as const;

/** Codes of the control service for which agents have one of their own, whatever carries their calls. */
const SAME_AS: Readonly<Record<string, keyof typeof TOOL_CODES>> = { 'runtime.not_present': 'ROBOT_ABSENT' };

export const codeForAgents = (code: string): string => (Object.hasOwn(SAME_AS, code) ? (SAME_AS[code] ?? code) : code);
