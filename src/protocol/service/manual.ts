/** The address of the documentation as plain pages in the built page. */
export const MANUAL_PATH = '/manual/';
/** The list of its pages for language models (https://llmstxt.org). */
export const LLMS_PATH = '/llms.txt';
