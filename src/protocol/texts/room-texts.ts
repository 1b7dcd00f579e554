/** Sentences of a robot about its room, for a robot in a tab and for one without a page. */

/** Why it joins again, if no better reason is known. */
export const SIGNAL_LOST = 'The connection to the room was lost.';

/** Why a picture was not sent. */
export const NOT_IN_ROOM = 'The robot is not in the room at the moment. Ask again when it is back.';
export const CONNECTION_GONE = 'The connection to the room is gone. Ask again when it is back.';
export const CALLER_LEFT = 'The caller has left the room.';
