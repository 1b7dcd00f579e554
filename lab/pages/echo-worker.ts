/** Returns its input: measures the path from a page's thread to another and back, without any work there. */
self.onmessage = ({ data }: MessageEvent<unknown>) => self.postMessage(data);
