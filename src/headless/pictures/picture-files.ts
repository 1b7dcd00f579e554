import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PAGE_NOT_BUILT } from '../../protocol/texts/headless-texts.ts';
import { PRECOMPRESSED_END, readBuiltFile } from '../built-file.ts';
import { DRAWING_PAGE } from './drawing-page.ts';

/** Serves the drawing page and the scripts of the built page to the browser of this process, on this machine alone. */
export interface PictureFiles {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** The address of the built camera worker. @throws Error when the page is not built */
  workerUrl(): Promise<string>;
  close(): void;
}

const ASSET_PATH = /^\/assets\/([\w-]+(?:\.[\w-]+)*\.js)$/;
const CAMERA_WORKER = /^camera-worker-[\w-]+\.js$/;
const PACKED = new RegExp(`\\${PRECOMPRESSED_END}$`);

/** @param distDir the folder of the built page */
export async function servePictureFiles(distDir: string): Promise<PictureFiles> {
  const assetsDir = join(distDir, 'assets');
  const server: Server = createServer((request, response) => {
    const name = ASSET_PATH.exec(request.url ?? '')?.[1];
    if (request.url === '/') {
      response.setHeader('Content-Type', 'text/html');
      response.end(DRAWING_PAGE);
    } else if (name === undefined) {
      response.writeHead(404).end();
    } else {
      readBuiltFile(join(assetsDir, name)).then(
        (bytes) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(bytes);
        },
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It keeps no process running.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async workerUrl() {
      // Looked up each time: the page may be rebuilt meanwhile, and its files then have other names.
      const files = await readdir(assetsDir).catch(() => []);
      const name = files.map((one) => one.replace(PACKED, '')).find((one) => CAMERA_WORKER.test(one));
      if (name === undefined) throw new Error(PAGE_NOT_BUILT);
      return `/assets/${name}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
