/** A node:http server that responds to every request with the same JSON: the upper bound of the runtime. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, payloadFile = ''] = process.argv.slice(2)
const payload: unknown = JSON.parse(readFileSync(payloadFile, 'utf8'))

createServer((_request, response) => {
  const bytes = Buffer.from(JSON.stringify(payload))
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  response.end(bytes)
}).listen(Number(port), '127.0.0.1')
