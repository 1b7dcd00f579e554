/** Live API keys begin with this. */
export const API_KEY_PREFIX = 'sk_live_';
