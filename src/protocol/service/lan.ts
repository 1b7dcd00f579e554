/** The address at which the page of a local platform asks how a phone in the network reaches the platform. */
export const LAN_PATH = '/lan';
/** The address at which a phone gets the certificate to install. */
export const LAN_CERTIFICATE_PATH = '/certificate.crt';
/** Starts a local platform for phones. */
export const LAN_COMMAND = 'npm start -- --lan';

/** The data that a local platform started for phones gives its own page. It contains no secret. */
export interface LanPlace {
  /** Address of the page, for a phone: `https://192.168.1.7:8080`. */
  page_url: string;
  /** Address of the room, for a phone: `wss://192.168.1.7:8080`. */
  room_url: string;
  /** Address of the same room in keys for this machine. */
  local_room_url: string;
  /** SHA-256 of the certificate that the phone is shown. */
  fingerprint: string;
}

/** The answer at {@link LAN_PATH}; null if the platform serves only its own machine. */
export interface LanAnswer {
  lan: LanPlace | null;
}

const FORMS: Readonly<Record<keyof LanPlace, RegExp>> = {
  page_url: /^https:\/\/[\w.:-]+$/,
  room_url: /^wss:\/\/[\w.:-]+$/,
  local_room_url: /^wss?:\/\/[\w.:-]+$/,
  fingerprint: /^[0-9A-F]{2}(?::[0-9A-F]{2})+$/,
};

/** Returns the place in an answer; null if there is none, or if the value is not such an answer. */
export function readLanAnswer(value: unknown): LanPlace | null {
  const { lan } = (value ?? {}) as { lan?: Record<string, unknown> | null };
  const isPlace = Object.entries(FORMS).every(([name, form]) => typeof lan?.[name] === 'string' && form.test(lan[name]));
  return isPlace ? (lan as unknown as LanPlace) : null;
}
