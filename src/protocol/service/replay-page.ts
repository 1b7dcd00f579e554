/** The address of the replay page, beside the viewer's other pages. */
export const REPLAY_PAGE = 'replay.html';
