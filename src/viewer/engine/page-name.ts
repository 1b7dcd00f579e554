/** What a browser says of itself. */
export interface BrowserFacts {
  userAgent: string;
  /** Touch points tell an iPad from a Mac, which call themselves alike. */
  maxTouchPoints: number;
}

/** In this order: most browsers name the ones after them too. */
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

/** Returns what people are told of this page, when another asks who is the robot: "Chrome on Windows". It names no person. */
export function pageName({ userAgent, maxTouchPoints }: BrowserFacts): string {
  const nameIn = (kinds: typeof BROWSERS): string | undefined => kinds.find(([sign]) => sign.test(userAgent))?.[1];
  const system = nameIn(SYSTEMS);
  const isTablet = system === 'a Mac' && maxTouchPoints > 1;
  return `${nameIn(BROWSERS) ?? 'A browser'} on ${isTablet ? 'an iPad' : (system ?? 'another system')}`;
}
