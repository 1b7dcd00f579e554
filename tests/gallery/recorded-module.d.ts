/** The worlds of the gallery, recorded when it is built (`vite.config.ts`). */
declare module 'virtual:recorded' {
  export const recorded: import('./recorded.ts').Recordings;
}
