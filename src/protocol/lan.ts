/** Where the page of a local platform asks how a phone in the network reaches it. */
export const LAN_PATH = '/lan';
/** Where a phone that wants a certificate installed gets it. */
export const LAN_CERTIFICATE_PATH = '/certificate.crt';
/** Starts a local platform for phones. */
export const LAN_COMMAND = 'npm start -- --lan';

/** What a local platform that was started for phones tells its own page. No secret is in it. */
export interface LanPlace {
  /** Of the page, for a phone: `https://192.168.1.7:8080`. */
  page_url: string;
  /** Of the room, for a phone: `wss://192.168.1.7:8080`. */
  room_url: string;
  /** Of the same room, as keys for this machine have it. */
  local_room_url: string;
  /** SHA-256 of the certificate that the phone is shown. */
  fingerprint: string;
}

/** The answer at {@link LAN_PATH}; null where the platform serves its own machine alone. */
export interface LanAnswer {
  lan: LanPlace | null;
}

const FORMS: Readonly<Record<keyof LanPlace, RegExp>> = {
  page_url: /^https:\/\/[\w.:-]+$/,
  room_url: /^wss:\/\/[\w.:-]+$/,
  local_room_url: /^wss?:\/\/[\w.:-]+$/,
  fingerprint: /^[0-9A-F]{2}(?::[0-9A-F]{2})+$/,
};

/** The place in an answer; null when there is none, and in what is no such answer. */
export function readLanAnswer(value: unknown): LanPlace | null {
  const { lan } = (value ?? {}) as { lan?: Record<string, unknown> | null };
  const isPlace = Object.entries(FORMS).every(([name, form]) => typeof lan?.[name] === 'string' && form.test(lan[name]));
  return isPlace ? (lan as unknown as LanPlace) : null;
}
