/** The facts that a browser reports about itself. */
export interface BrowserFacts {
  userAgent: string;
  /** Distinguishes an iPad from a Mac: both report the same user agent, but only the iPad has touch points. */
  maxTouchPoints: number;
}

/** The order matters: most browsers also name the ones that follow them here. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFxiOS\/|\bFirefox\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the name under which other people see this page, for example "Chrome on Windows". It does not identify a person. */
export function pageName({ userAgent, maxTouchPoints }: BrowserFacts): string {
  const nameIn = (kinds: typeof BROWSERS): string | undefined => kinds.find(([sign]) => sign.test(userAgent))?.[1];
  const system = nameIn(SYSTEMS);
  const isTablet = system === 'a Mac' && maxTouchPoints > 1;
  return `${nameIn(BROWSERS) ?? 'A browser'} on ${isTablet ? 'an iPad' : (system ?? 'another system')}`;
}
