/** Gives back what it is given: the way from a page's thread to another and back, with nothing done there. */
self.onmessage = ({ data }: MessageEvent<unknown>) => self.postMessage(data);
