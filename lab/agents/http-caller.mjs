/**
 * A client process of the proof `agent-stops` that is killed: it sends one request and reads the response. Arguments: the address,
 * and headers and body as JSON.
 */
import { request } from 'node:http';

const [url, asked] = process.argv.slice(2);
const { headers, body } = JSON.parse(asked);
const sent = request(url, { method: 'POST', headers });
sent.on('response', (response) => response.resume());
sent.end(body);
