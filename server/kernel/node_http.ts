/**
 * `import … from 'node:http'` also loads everything else that the module offers, such as its WebSocket: a third of a small program's start.
 */
export const { createServer, request, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')
