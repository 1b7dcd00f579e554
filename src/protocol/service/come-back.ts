/** The address at which a local platform issues a new room key to the page that was its robot until the session ended. */
export const COME_BACK_PATH = '/come-back';
