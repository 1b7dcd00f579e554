/** Saves a text as a file of the person at the page. */
export function saveAs(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes over by the end of this turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
