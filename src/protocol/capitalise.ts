/** Returns words with a capital letter at their beginning. */
export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
