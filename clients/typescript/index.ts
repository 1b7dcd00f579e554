/** The client library by the name that it has in a package, so that a program runs in this clone as it does elsewhere. */
export * from '../../src/client/index.ts';
