/** Saves bytes as a file for the person at the page. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the end of this turn, the browser has taken over the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Saves a text as a file for the person at the page. */
export const saveAs = (name: string, text: string, type = 'application/json'): void => saveBlob(name, new Blob([text], { type }));

/**
 * Returns the file name of a picture, without its ending: its robot, its camera, and the step that it shows, as in
 * "sorter-2_pov_step-1200".
 */
export function pictureName(robotName: string, camera: string, step: number): string {
  const robot = robotName
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${robot || 'robot'}_${camera}_step-${step}`;
}
