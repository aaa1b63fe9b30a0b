/**
 * `import … from 'node:http'` would also load everything else in the module, such as its WebSocket, which takes a third of a small
 * program's start.
 */
export const { createServer, request, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')
