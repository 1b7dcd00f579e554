/** `platform-robot-sdk/experimental` by the name that it has in a package. */
export * from '../../src/client/experimental.ts';
