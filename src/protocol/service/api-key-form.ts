/** The prefix of live API keys. */
export const API_KEY_PREFIX = 'sk_live_';
