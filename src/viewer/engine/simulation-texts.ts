/**
 * The reason why there is no simulation, shown to the person at the page. Sent by its worker, or by the page if the worker cannot
 * send.
 */
export const NOT_STARTED = 'The physics engine could not be started. Reload the page; WebAssembly must be allowed.';
export const STOPPED = 'The simulation failed. Reload the page to start it again.';
export const READER_MISSING = 'could not be read: part of this page could not be loaded. Check the connection and try again.';
export const NO_TASK = 'There is no proof: this robot has no task, and its run is not recorded. Choose a task first.';
