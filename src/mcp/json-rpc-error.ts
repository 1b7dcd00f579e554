/** Returns a response with an error of JSON-RPC that belongs to no request. The protocol allows no `id` in it, not even null. */
export const jsonRpcError = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message } }), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
