import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../src/headless/pictures/find-browser.ts';

const find = (platform: NodeJS.Platform, there: string[], env: Record<string, string> = {}) =>
  findBrowser({ platform, env, isExecutable: (path) => there.includes(path.replaceAll('\\', '/')) });

describe('the browser that draws', () => {
  it('the named browser is used, and no other replaces it', () => {
    expect(find('linux', ['/opt/chrome', '/usr/bin/chromium'], { SIMPLESIM_CHROMIUM: '/opt/chrome' })).toBe('/opt/chrome');
    expect(find('linux', ['/usr/bin/chromium'], { SIMPLESIM_CHROMIUM: '/opt/gone' })).toBeNull();
  });

  it('the browser is found where each system stores it, also beside /usr/bin on the PATH', () => {
    expect(find('linux', ['/usr/bin/google-chrome'])).toBe('/usr/bin/google-chrome');
    expect(find('linux', ['/snap/bin/chromium'], { PATH: '/bin:/snap/bin' })).toBe('/snap/bin/chromium');
    expect(find('darwin', ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'])).toMatch(/Google Chrome$/);
    expect(find('win32', ['C:/Programs/Google/Chrome/Application/chrome.exe'], { PROGRAMFILES: 'C:/Programs' })).toMatch(
      /chrome\.exe$/,
    );
    expect(find('linux', [])).toBeNull();
  });
});
